using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;
using Range = Gateway.Codec.Structures.Range;

namespace Gateway.Codec.Tests.Binary;

public sealed class UaBinaryReaderTests
{
    [Fact]
    public void Read_AfterAnError_ReturnsDefaultsAndKeepsTheFirstStatus()
    {
        var reader = new UaBinaryReader([1, 2, 3]);

        Assert.Equal(0u, reader.ReadUInt32());
        Assert.Equal(StatusCodes.BadDecodingError, reader.Status.Code);
        reader.Fail(StatusCodes.BadEncodingLimitsExceeded);

        Assert.Equal(StatusCodes.BadDecodingError, reader.Status.Code);
        Assert.Equal(0, reader.ReadByte());
        Assert.Null(reader.ReadString());
        Assert.Null(reader.ReadStructureArray<ReadValueId>());
        Assert.True(reader.ReadVariant().IsNull);
        Assert.Equal(0, reader.Remaining);
    }

    /// <summary>As many bytes as a read Variant has, and no error more or less.</summary>
    [Theory]
    [InlineData("058A02" + "FF", 3)]
    [InlineData("00" + "FF", 1)]
    [InlineData("1503026465030000006F6666" + "FF", 0)]
    [InlineData("150202000000" + "6F66" + "FF", 8)]
    [InlineData("980200000000" + "058A02" + "FF", 9)]
    [InlineData("058A", 0)]
    [InlineData("3F00", 0)]
    public void ReadVariantBytes_OneAmongOthers_IsWhatReadVariantReads(string hex, int length)
    {
        var bytes = Convert.FromHexString(hex);
        var reader = new UaBinaryReader(bytes);
        var reading = new UaBinaryReader(bytes);
        reading.ReadVariant();
        Assert.Equal(bytes[..length], reader.ReadVariantBytes().ToArray());
        Assert.Equal(reading.Status, reader.Status);
        Assert.Equal(length == 0, reader.Failed);
        if (length > 0)
            Assert.Equal(0xFF, reader.ReadByte());
    }

    /// <summary>R25.</summary>
    [Theory]
    [InlineData("01000000FF")]
    [InlineData("02000000C080")]
    [InlineData("03000000EDA080")]
    [InlineData("02000000E6B0")]
    [InlineData("0300000061" + "0062")]
    public void ReadString_InvalidUtf8OrNul_IsRefused(string hex)
    {
        var bytes = Convert.FromHexString(hex);
        var skipping = new UaBinaryReader(bytes);
        skipping.SkipString();

        Assert.Equal(
            StatusCodes.BadDecodingError, Wire.Fail(bytes, (ref UaBinaryReader r) => r.ReadString()).Code);
        Assert.Equal(StatusCodes.BadDecodingError, skipping.Status.Code);
    }

    [Fact]
    public void ReadString_OverTheLimit_IsRefused()
    {
        var limits = new DecodingLimits { MaxStringLengthBytes = 3, MaxByteStringLengthBytes = 2 };
        var three = Convert.FromHexString("03000000616263");
        var four = Convert.FromHexString("0400000061626364");

        Assert.True(Wire.Fail(three, (ref UaBinaryReader r) => r.ReadString(), limits).IsGood);
        Assert.Equal(
            StatusCodes.BadEncodingLimitsExceeded,
            Wire.Fail(four, (ref UaBinaryReader r) => r.ReadString(), limits).Code);
        Assert.Equal(
            StatusCodes.BadEncodingLimitsExceeded,
            Wire.Fail(three, (ref UaBinaryReader r) => r.ReadByteString(), limits).Code);
    }

    [Fact]
    public void ReadArrayLength_OverTheLimit_IsRefused()
    {
        var bytes = new byte[4 + 12];
        bytes[0] = 12;

        Assert.Equal(
            StatusCodes.BadEncodingLimitsExceeded,
            Wire.Fail(
                bytes, (ref UaBinaryReader r) => r.ReadArray<byte>(BuiltInType.Byte),
                new DecodingLimits { MaxArrayLength = 11 }).Code);
    }

    /// <summary>R35: an element of no bytes counts as one, so that a loop over a million of them needs a megabyte.
    /// </summary>
    [Fact]
    public void ReadStructureArray_ElementsOfNoBytes_StillNeedBytes()
    {
        byte[] bytes = [0x40, 0x42, 0x0F, 0, 1, 2, 3];

        Assert.Equal(
            StatusCodes.BadDecodingError,
            Wire.Fail(bytes, (ref UaBinaryReader r) => r.ReadStructureArray<FilterOperand>()).Code);
    }

    [Theory]
    [InlineData("40")]
    [InlineData("06")]
    [InlineData("0F")]
    public void ReadNodeId_UnknownEncoding_IsRefused(string hex) => Assert.Equal(
        StatusCodes.BadDecodingError,
        Wire.Fail(Convert.FromHexString(hex + "0000"), (ref UaBinaryReader r) => r.ReadNodeId()).Code);

    [Theory]
    [InlineData("18", "a scalar Variant in a Variant")]
    [InlineData("4601000000", "dimensions of a scalar")]
    [InlineData("80FFFFFFFF", "an array of null")]
    [InlineData("2000000000", "type 32")]
    [InlineData("C6010000000500000002000000FFFFFFFFFFFFFFFF", "negative dimensions")]
    [InlineData("C60100000005000000020000000200000002000000", "a product that is not the count")]
    [InlineData("C601000000050000000300000000000100000001000000" + "0100", "a product beyond Int32")]
    public void ReadVariant_Malformed_IsRefused(string hex, string why)
    {
        var status = Wire.Fail(Convert.FromHexString(hex), (ref UaBinaryReader r) => r.ReadVariant());

        Assert.True(status.Code == StatusCodes.BadDecodingError, why);
    }

    [Fact]
    public void ReadVariant_MoreDimensionsThanAnyValueHas_IsRefused()
    {
        var matrix = new Matrix(new[] { 1 }, [.. Enumerable.Repeat(1, 33)]);
        var value = Variant.FromMatrix(BuiltInType.Int32, matrix);
        var bytes = Wire.Encode((ref UaBinaryWriter w) => w.WriteVariant(value));

        Assert.Equal(
            StatusCodes.BadEncodingLimitsExceeded,
            Wire.Fail(bytes, (ref UaBinaryReader r) => r.ReadVariant()).Code);
    }

    [Fact]
    public void ReadExtensionObject_KnownBodyShorterThanItsType_IsRefused()
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) =>
        {
            w.WriteNodeId(new NodeId(Argument.BinaryEncodingId));
            w.WriteByte(1);
            w.WriteByteString([0, 0, 0, 0]);
            w.WriteRaw(new byte[100]);
        });

        Assert.Equal(
            StatusCodes.BadDecodingError,
            Wire.Fail(bytes, (ref UaBinaryReader r) => r.ReadExtensionObject()).Code);
    }

    [Fact]
    public void ReadExtensionObject_UnreadableBodyToBeKept_IsItsBytesAndTheRestIsRead()
    {
        var inner = new ExtensionObject(new NodeId(Argument.BinaryEncodingId), [0, 0, 0, 0]);
        var bytes = Wire.Encode((ref UaBinaryWriter w) =>
        {
            w.WriteExtensionObject(new ExtensionObject(new LiteralOperand { Value = new Variant(inner) }));
            w.WriteByte(7);
        });

        var reader = new UaBinaryReader(bytes, DecodingLimits.PassThrough);
        var outer = reader.ReadExtensionObject().Body as LiteralOperand;

        Assert.Equal(new Variant(inner), outer!.Value);
        Assert.Equal(7, reader.ReadByte());
        Assert.False(reader.Failed);
    }

    /// <summary>Each level is read, cut short and kept: the bytes of all of them count.</summary>
    [Fact]
    public void ReadExtensionObject_UnreadableBodiesInEachOther_AreChargedForEachLevel()
    {
        var value = new ExtensionObject(new NodeId(5, 1), new byte[1_000]);
        for (var level = 0; level < 20; level++)
        {
            var variant = Variant.FromArray(BuiltInType.ExtensionObject, new[] { value, default });
            var body = Wire.Encode((ref UaBinaryWriter w) => w.WriteVariant(variant));
            value = new ExtensionObject(new NodeId(LiteralOperand.BinaryEncodingId), body[..^1]);
        }

        var bytes = Wire.Encode((ref UaBinaryWriter w) => w.WriteExtensionObject(value));
        var reader = new UaBinaryReader(bytes, DecodingLimits.PassThrough);

        Assert.Equal(value.Body as byte[], reader.ReadExtensionObject().Body as byte[]);
        Assert.True(reader.DecodedBytes > 20 * 1_000);
    }

    [Fact]
    public void ReadExtensionObject_KnownBodyLongerThanItsType_IsSteppedOver()
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) =>
        {
            w.WriteNodeId(new NodeId(Range.BinaryEncodingId));
            w.WriteByte(1);
            var start = w.BeginLength();
            new Range { Low = 1, High = 2 }.Encode(ref w);
            w.WriteInt64(99);
            w.EndLength(start);
            w.WriteByte(7);
        });

        var reader = new UaBinaryReader(bytes);
        var range = reader.ReadExtensionObject().Body as Range;

        Assert.Equal(2, range!.High);
        Assert.Equal(7, reader.ReadByte());
        Assert.False(reader.Failed);
    }

    [Fact]
    public void ReadExtensionObject_NullBodyOfAKnownType_HasNoBody()
    {
        var value = Wire.Decode(
            [1, 0, 0x2A, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF], (ref UaBinaryReader r) => r.ReadExtensionObject());

        Assert.Null(value.Body);
        Assert.Equal(new NodeId(Argument.BinaryEncodingId), value.TypeId);
    }
}
