using BenchmarkDotNet.Attributes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;

namespace Gateway.Microbenchmarks.Codec;

/// <summary>Single values and arrays: what the messages consist of.</summary>
[MemoryDiagnoser]
[Table(20, "Codec: single values",
    "What messages consist of. *TenDataValues*: an array of ten DataValues in a Variant.")]
public class ValueBenchmarks
{
    private static readonly PooledBuffer Buffer = new(headroom: 64);
    private static readonly NodeId Numeric = new(1000, 2);
    private static readonly NodeId Text = new("Plant.Line1.Machine7.Temperature", 2);
    private static readonly DataValue Value = CodecSamples.Value(1);

    private static readonly Variant TenDataValues =
        Variant.FromArray(BuiltInType.DataValue, CodecSamples.Make(10, CodecSamples.Value));

    private readonly byte[] _numeric = Bytes(static (ref UaBinaryWriter w) => w.WriteNodeId(Numeric));
    private readonly byte[] _text = Bytes(static (ref UaBinaryWriter w) => w.WriteNodeId(Text));
    private readonly byte[] _value = Bytes(static (ref UaBinaryWriter w) => w.WriteDataValue(Value));
    private readonly byte[] _tenDataValues = Bytes(static (ref UaBinaryWriter w) => w.WriteVariant(TenDataValues));

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
    public NodeId ReadNumericNodeId() => new UaBinaryReader(_numeric).ReadNodeId();

    [Benchmark]
    public NodeId ReadStringNodeId() => new UaBinaryReader(_text).ReadNodeId();

    [Benchmark]
    public DataValue ReadDoubleDataValue() => new UaBinaryReader(_value).ReadDataValue();

    [Benchmark]
    public Variant ReadTenDataValues() => new UaBinaryReader(_tenDataValues).ReadVariant();

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
