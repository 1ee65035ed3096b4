using Gateway.Codec.Binary;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Structures;

/// <summary>Source: Part 6 §5.2.7.</summary>
public sealed class OptionalFieldTests
{
    /// <summary>Table 17: O2 is there and O1 is not, 13 bytes.</summary>
    [Fact]
    public void Encode_StandardsExample_HasItsBytes()
    {
        var bytes = Wire.Encode(new OptionalSample { X = 0x01020304, Y = -1, O2 = 5 });

        byte[] expected = [2, 0, 0, 0, 4, 3, 2, 1, 0xFF, 5, 0, 0, 0];
        Assert.Equal(expected, bytes);
    }

    [Fact]
    public void Decode_StandardsExample_TellsAbsentFromZero()
    {
        byte[] bytes = [3, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0, 0xFF, 5, 0, 0, 0];

        var value = Wire.Decode(bytes, (ref UaBinaryReader r) => OptionalSample.Decode(ref r));

        Assert.Equal((0x01020304, 0, (sbyte)-1, 5), (value.X, value.O1, value.Y, value.O2));
        Assert.Null(value.Text);
        Assert.Null(value.NodeId);
    }

    /// <summary>A subtype extends the mask of its parent.</summary>
    [Fact]
    public void Encode_DerivedHeldAsItsBase_ExtendsTheMask()
    {
        OptionalSample value = new DerivedOptionalSample { X = 1, O1 = 2, Z = 3, O3 = 4 };

        byte[] expected = [1, 4, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 3, 4];
        Assert.Equal(expected, Wire.Encode(value));
    }

    [Fact]
    public void Decode_BitOfNoField_IsADecodingError()
    {
        for (var bit = 0; bit < 32; bit++)
        {
            var bytes = new byte[2000];
            BitConverter.TryWriteBytes(bytes, 1u << bit);
            var expected = new StatusCode(bit < 10 ? StatusCodes.Good : StatusCodes.BadDecodingError);
            var derived = new StatusCode(bit < 11 ? StatusCodes.Good : StatusCodes.BadDecodingError);

            Assert.Equal(expected, Wire.Fail(bytes, (ref UaBinaryReader r) => OptionalSample.Decode(ref r)));
            Assert.Equal(derived, Wire.Fail(bytes, (ref UaBinaryReader r) => DerivedOptionalSample.Decode(ref r)));
        }
    }

    [Fact]
    public void ReadOptionalFieldMask_ThirtyTwoFields_TakesEveryBit()
    {
        byte[] all = [0xFF, 0xFF, 0xFF, 0xFF];

        Assert.Equal(uint.MaxValue, Wire.Decode(all, (ref UaBinaryReader r) => r.ReadOptionalFieldMask(32)));
        Assert.Equal(
            StatusCodes.BadDecodingError, Wire.Fail(all, (ref UaBinaryReader r) => r.ReadOptionalFieldMask(31)).Code);
    }

    /// <summary>As the attribute says: null stands for absent.</summary>
    [Fact]
    public void Decode_NullThatIsThere_BecomesAbsent()
    {
        byte[] bytes = [4, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF];

        var value = Wire.Decode(bytes, (ref UaBinaryReader r) => OptionalSample.Decode(ref r));

        Assert.Null(value.Text);
        Assert.Equal(new byte[9], Wire.Encode(value));
    }
}
