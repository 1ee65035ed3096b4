using Gateway.Client.Subscriptions;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Client.Tests.Subscriptions;

public sealed class EncodedVariantReaderTests
{
    public static TheoryData<int> Cases => [.. Enumerable.Range(0, Values().Length)];

    [Theory]
    [MemberData(nameof(Cases))]
    public void Read_EachTypeAndShape_BytesAndValueUntouched(int index)
    {
        var value = new DataValue(
            Values()[index], StatusCodes.UncertainLastUsableValue, Time(1), Time(2), 7, 8);
        var encoded = Encode(value);
        var reader = new UaBinaryReader(encoded);
        var raw = RawDataValue.Read(ref reader);
        Assert.Equal(StatusCode.Good, reader.Status);
        Assert.Equal(sizeof(ushort), reader.Remaining);
        Assert.Equal(value.Value, raw.ToVariant());
        Assert.Equal(value with { ServerPicoseconds = 0 }, raw.ToDataValue());
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Read_CutAtEachByte_FailsWithoutException(int index)
    {
        var encoded = Encode(new DataValue(Values()[index], default, Time(1)));
        for (var length = 0; length < encoded.Length - sizeof(ushort); length++)
        {
            var reader = new UaBinaryReader(encoded.AsSpan(0, length));
            RawDataValue.Read(ref reader);
            Assert.True(reader.Failed);
        }
    }

    [Fact]
    public void Read_HugeDeclaredLength_Fails()
    {
        byte[] bytes = [1, 0x8B, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0];
        var reader = new UaBinaryReader(bytes);
        RawDataValue.Read(ref reader);
        Assert.True(reader.Failed);
    }

    [Fact]
    public void TryGetDouble_DoubleAndOthers_OnlyTheDouble()
    {
        var reader = new UaBinaryReader(Encode(new DataValue(new Variant(1.5))));
        Assert.True(RawDataValue.Read(ref reader).TryGetDouble(out var value));
        Assert.Equal(1.5, value);
        reader = new UaBinaryReader(Encode(new DataValue(new Variant(1L))));
        Assert.False(RawDataValue.Read(ref reader).TryGetDouble(out _));
    }

    private static Variant[] Values() =>
    [
        new(true), new((sbyte)-1), new((byte)1), new((short)-2), new((ushort)2), new(-3), new(3u), new(-4L), new(4ul),
        new(1.5f), new(2.5), new("text"), new(Time(3)), new(Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")),
        Variant.FromByteString([1, 2, 3]), new(new XmlElement("<a/>")), new(new NodeId("s", 2)),
        new(new ExpandedNodeId(new NodeId(5), "urn:x", 1)), new(new StatusCode(StatusCodes.BadTimeout)),
        new(new QualifiedName("q", 1)), new(new LocalizedText("t", "en")),
        Variant.FromArray(BuiltInType.Double, new[] { 1.0, 2.0 }),
        Variant.FromArray(BuiltInType.Boolean, new[] { true, false }),
        Variant.FromArray(BuiltInType.String, new string?[] { "a", null, "" }),
        Variant.FromArray(BuiltInType.Int32, Array.Empty<int>()),
        Variant.FromArray(BuiltInType.NodeId, new NodeId[] { new(1), new("x", 1) }),
        Variant.FromArray(BuiltInType.Variant, new Variant[] { new(1), new("x") }),
        Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2, 3, 4 }, [2, 2])),
    ];

    private static DateTime Time(int second) => new(2026, 1, 1, 0, 0, second, DateTimeKind.Utc);

    /// <summary>The value and two bytes behind it.</summary>
    private static byte[] Encode(in DataValue value)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteDataValue(value);
        writer.WriteUInt16(0xFFFF);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }
}
