using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Structures;

/// <summary>Source: Part 6 §5.2.8.</summary>
public sealed class UnionTests
{
    [Fact]
    public void Encode_FirstOrSecondField_HasTheSwitchAndThatFieldAlone()
    {
        byte[] number = [1, 0, 0, 0, 4, 3, 2, 1];
        byte[] text = [2, 0, 0, 0, 2, 0, 0, 0, (byte)'o', (byte)'k'];

        Assert.Equal(number, Wire.Encode(new UnionSample { Field1 = 0x01020304 }));
        Assert.Equal(text, Wire.Encode(new UnionSample { Field2 = "ok" }));
    }

    /// <summary>"0 means NULL": the union has no field.</summary>
    [Fact]
    public void Encode_NoField_IsTheSwitchAlone()
    {
        Assert.Equal(new byte[4], Wire.Encode(new UnionSample()));
        Assert.Equal(0u, Decode(new byte[4]).SwitchField);
    }

    [Fact]
    public void Decode_EachSwitchValue_SetsOneFieldAndKeepsTheValue()
    {
        var fields = SampleStructures.Fields(typeof(UnionSample)).ToList();
        for (var i = 0; i < fields.Count; i++)
        {
            var value = Decode(Wire.Encode(OwnSamples.All["union of " + fields[i].Name].Value));

            Assert.Equal((uint)i + 1, value.SwitchField);
            Assert.Equal(fields[i], Assert.Single(fields, field => field.GetValue(value) is not null));
        }
    }

    [Theory]
    [InlineData(9u)]
    [InlineData(0x80000001u)]
    [InlineData(uint.MaxValue)]
    public void Decode_SwitchBeyondTheFields_IsADecodingError(uint switchField)
    {
        var bytes = new byte[2000];
        BitConverter.TryWriteBytes(bytes, switchField);

        var status = Wire.Fail(bytes, (ref UaBinaryReader r) => UnionSample.Decode(ref r));

        Assert.Equal(StatusCodes.BadDecodingError, status.Code);
    }

    [Fact]
    public void Decode_ChosenFieldIsNull_StaysChosen()
    {
        byte[] bytes = [2, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF];

        var value = Decode(bytes);

        Assert.Equal((2u, (string?)null), (value.SwitchField, value.Field2));
        Assert.Equal(bytes, Wire.Encode(value));
    }

    [Fact]
    public void Encode_SeveralFieldsSet_WritesTheFirst() => Assert.Equal(
        Wire.Encode(new UnionSample { Kind = NodeClass.Method }),
        Wire.Encode(new UnionSample { Kind = NodeClass.Method, Class = new Argument() }));

    private static UnionSample Decode(byte[] bytes) =>
        Wire.Decode(bytes, (ref UaBinaryReader r) => UnionSample.Decode(ref r));
}
