using BenchmarkDotNet.Attributes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Microbenchmarks.Codec;

/// <summary>Single values and arrays: what the messages consist of.</summary>
[MemoryDiagnoser]
public class ValueBenchmarks
{
    private static readonly PooledBuffer Buffer = new(headroom: 64);
    private static readonly NodeId Numeric = new(1000, 2);
    private static readonly NodeId Text = new("Plant.Line1.Machine7.Temperature", 2);
    private static readonly DataValue Value = CodecSamples.Value(1);

    private static readonly Variant TenDataValues =
        Variant.FromArray(BuiltInType.DataValue, CodecSamples.Make(10, CodecSamples.Value));

    private static readonly Variant Doubles =
        Variant.FromArray(BuiltInType.Double, CodecSamples.Make(1000, i => i * 0.5));

    private static readonly Variant Int32s = Variant.FromArray(BuiltInType.Int32, CodecSamples.Make(1000, i => i));

    private readonly byte[] _numeric = Bytes(static (ref UaBinaryWriter w) => w.WriteNodeId(Numeric));
    private readonly byte[] _text = Bytes(static (ref UaBinaryWriter w) => w.WriteNodeId(Text));
    private readonly byte[] _value = Bytes(static (ref UaBinaryWriter w) => w.WriteDataValue(Value));
    private readonly byte[] _tenDataValues = Bytes(static (ref UaBinaryWriter w) => w.WriteVariant(TenDataValues));
    private readonly byte[] _doubles = Bytes(static (ref UaBinaryWriter w) => w.WriteVariant(Doubles));
    private readonly byte[] _int32s = Bytes(static (ref UaBinaryWriter w) => w.WriteVariant(Int32s));

    private delegate void Write(ref UaBinaryWriter writer);

    [GlobalSetup]
    public void Setup() => Buffer.Write(new byte[32 * 1024]);

    [Benchmark]
    public int WriteNumericNodeId()
    {
        var writer = Start();
        writer.WriteNodeId(Numeric);
        return writer.Position;
    }

    [Benchmark]
    public int WriteStringNodeId()
    {
        var writer = Start();
        writer.WriteNodeId(Text);
        return writer.Position;
    }

    [Benchmark]
    public int WriteDoubleDataValue()
    {
        var writer = Start();
        writer.WriteDataValue(Value);
        return writer.Position;
    }

    [Benchmark]
    public int WriteTenDataValues() => WriteVariant(TenDataValues);

    [Benchmark]
    public int Write1000Doubles() => WriteVariant(Doubles);

    [Benchmark]
    public int Write1000Int32s() => WriteVariant(Int32s);

    [Benchmark]
    public NodeId ReadNumericNodeId() => new UaBinaryReader(_numeric).ReadNodeId();

    [Benchmark]
    public NodeId ReadStringNodeId() => new UaBinaryReader(_text).ReadNodeId();

    [Benchmark]
    public DataValue ReadDoubleDataValue() => new UaBinaryReader(_value).ReadDataValue();

    [Benchmark]
    public Variant ReadTenDataValues() => new UaBinaryReader(_tenDataValues).ReadVariant();

    [Benchmark]
    public Variant Read1000Doubles() => new UaBinaryReader(_doubles).ReadVariant();

    [Benchmark]
    public Variant Read1000Int32s() => new UaBinaryReader(_int32s).ReadVariant();

    private static byte[] Bytes(Write write)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        write(ref writer);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    private static int WriteVariant(in Variant value)
    {
        var writer = Start();
        writer.WriteVariant(value);
        return writer.Position;
    }

    /// <summary>The buffer keeps the array that it grew to, so that no growth is measured.</summary>
    private static UaBinaryWriter Start()
    {
        Buffer.Reset();
        return new UaBinaryWriter(Buffer);
    }
}
