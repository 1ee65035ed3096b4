using BenchmarkDotNet.Attributes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;

namespace Gateway.Microbenchmarks.Codec;

/// <summary>Arrays in a Variant.</summary>
[MemoryDiagnoser]
[Table(25, "Codec: arrays in a Variant", "Numbers go in one copy; texts and structures one by one. *Nested*: an " +
    "array of ExtensionObjects, each a structure with a Variant that holds another one.")]
public class ArrayBenchmarks
{
    private static readonly PooledBuffer Buffer = new(headroom: 64, limitBytes: 64 * 1024 * 1024);
    private Variant _doubles;
    private Variant _int32s;
    private Variant _texts;
    private Variant _nested;
    private byte[] _doubleBytes = [];
    private byte[] _int32Bytes = [];
    private byte[] _textBytes = [];
    private byte[] _nestedBytes = [];

    [Params(1000, 100_000)]
    public int Length { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _doubles = Variant.FromArray(BuiltInType.Double, CodecSamples.Make(Length, i => i * 0.5));
        _int32s = Variant.FromArray(BuiltInType.Int32, CodecSamples.Make(Length, i => i));
        _texts = Variant.FromArray(
            BuiltInType.LocalizedText, CodecSamples.Make(Length, i => new LocalizedText("en", "Line " + i)));
        _nested = Variant.FromArray(BuiltInType.ExtensionObject, CodecSamples.Make(Length, Nested));
        _doubleBytes = Bytes(_doubles);
        _int32Bytes = Bytes(_int32s);
        _textBytes = Bytes(_texts);
        _nestedBytes = Bytes(_nested);
    }

    [Benchmark]
    public int WriteDoubles() => Write(_doubles);

    [Benchmark]
    public int WriteInt32s() => Write(_int32s);

    [Benchmark]
    public int WriteLocalizedTexts() => Write(_texts);

    [Benchmark]
    public int WriteNestedExtensionObjects() => Write(_nested);

    [Benchmark]
    public Variant ReadDoubles() => new UaBinaryReader(_doubleBytes).ReadVariant();

    [Benchmark]
    public Variant ReadInt32s() => new UaBinaryReader(_int32Bytes).ReadVariant();

    [Benchmark]
    public Variant ReadLocalizedTexts() => new UaBinaryReader(_textBytes).ReadVariant();

    [Benchmark]
    public Variant ReadNestedExtensionObjects() => new UaBinaryReader(_nestedBytes).ReadVariant();

    private static ExtensionObject Nested(int number) => new(new LiteralOperand
    {
        Value = Variant.FromStructure(new Gateway.Codec.Structures.Range { Low = number, High = number + 1 }),
    });

    private static byte[] Bytes(in Variant value)
    {
        Write(value);
        return Buffer.WrittenSpan.ToArray();
    }

    private static int Write(in Variant value)
    {
        Buffer.Reset();
        var writer = new UaBinaryWriter(Buffer);
        writer.WriteVariant(value);
        writer.Complete();
        return writer.Position;
    }
}
