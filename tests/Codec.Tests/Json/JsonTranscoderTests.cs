using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>From UA Binary to JSON without objects: the text of the decoded value, or nothing.</summary>
public sealed class JsonTranscoderTests
{
    private const int Values = 1_500;

    public static TheoryData<JsonEncoding> Encodings => new(Enum.GetValues<JsonEncoding>());

    [Theory]
    [MemberData(nameof(Encodings))]
    public void TryWriteVariant_Generated_IsTheTextOfTheDecodedValue(JsonEncoding encoding)
    {
        var random = new RandomValues(7);
        for (var i = 0; i < Values; i++)
            AssertEqual(encoding, JsonOf.Binary(random.Variant()));
    }

    [Theory]
    [MemberData(nameof(Encodings))]
    public void TryWriteVariant_Samples_IsTheTextOfTheDecodedValue(JsonEncoding encoding)
    {
        foreach (var (type, elements) in SampleVariants.Arrays)
        {
            AssertEqual(encoding, JsonOf.Binary(Variant.FromArray(type, elements)));
            AssertEqual(encoding, JsonOf.Binary(Variant.FromArray(type, null)));
            AssertEqual(
                encoding, JsonOf.Binary(Variant.FromMatrix(type, new Matrix(elements, [1, elements.Length, 1]))));
            for (var i = 0; i < elements.Length && type != BuiltInType.Variant; i++)
                AssertEqual(encoding, JsonOf.Binary(SampleVariants.Scalar(type, elements.GetValue(i))));
        }

        AssertEqual(encoding, JsonOf.Binary(Variant.FromStructure(new ReadValueId { NodeId = new NodeId("x", 1) })));
    }

    [Theory]
    [MemberData(nameof(Encodings))]
    public void TryWriteDataValue_Generated_IsTheTextOfTheDecodedValue(JsonEncoding encoding)
    {
        var random = new RandomValues(8);
        for (var i = 0; i < Values; i++)
        {
            var value = random.DataValue();
            var expected = JsonOf.Text(encoding, w => w.WriteDataValue(value));
            var whole = Wire.Encode((ref UaBinaryWriter w) => w.WriteDataValue(value));
            Assert.Equal(expected, JsonOf.Text(
                encoding, w => Assert.True(JsonTranscoder.TryWriteDataValue(w, whole))));
            var variant = value.Value.IsNull ? [] : JsonOf.Binary(value.Value);
            Assert.Equal(expected, JsonOf.Text(
                encoding, w => Assert.True(JsonTranscoder.TryWriteDataValue(w, variant, value))));
        }
    }

    /// <summary>Masks that announce what is then the default are as if it was not there.</summary>
    [Theory]
    [InlineData("3F0000000000" + "0000000000000000" + "0000" + "0000000000000000" + "0000", "null")]
    [InlineData(
        "3F00" + "00000580" + "0000000000000000" + "0000" + "0000000000000000" + "0000",
        """{"Status":{"Code":2147811328}}""")]
    public void TryWriteDataValue_DefaultsPresent_AreLeftOut(string hex, string text)
    {
        var bytes = Convert.FromHexString(hex);
        var decoded = Wire.Decode(bytes, (ref UaBinaryReader r) => r.ReadDataValue());
        Assert.Equal(text, JsonOf.Text(JsonEncoding.Compact, w => w.WriteDataValue(decoded)));
        Assert.Equal(text, JsonOf.Text(
            JsonEncoding.Compact, w => Assert.True(JsonTranscoder.TryWriteDataValue(w, bytes))));
    }

    /// <summary>Bytes changed at random: refused exactly where the binary reader refuses them or leaves some over, and
    /// else the same text.</summary>
    /// <summary>Other stacks refuse a Variant that has dimensions of 0. Source: Part 6 §5.2.2.16.</summary>
    [Theory]
    [InlineData(0, 3)]
    [InlineData(2, 0)]
    public void Matrix_WithoutElements_HasNoDimensions(int rows, int columns)
    {
        var matrix = Variant.FromMatrix(BuiltInType.Int32, new Matrix(Array.Empty<int>(), [rows, columns]));
        var format = JsonOf.Format(JsonEncoding.Compact);

        Assert.Equal("""{"UaType":6,"Value":[]}""", JsonOf.Text(format, w => w.WriteVariant(matrix)));
        Assert.Equal(
            """{"UaType":6,"Value":[]}""",
            JsonOf.Text(format, w => Assert.True(JsonTranscoder.TryWriteVariant(w, JsonOf.Binary(matrix)))));
    }

    [Fact]
    public void TryWriteVariant_Mutated_AgreesWithTheBinaryReader()
    {
        var random = new RandomValues(9);
        var accepted = 0;
        for (var i = 0; i < 8_000; i++)
        {
            var bytes = JsonOf.Binary(random.Variant());
            if (random.Random.Next(4) == 0)
                bytes = bytes[..random.Random.Next(bytes.Length)];
            else
                bytes[random.Random.Next(bytes.Length)] = (byte)random.Random.Next(256);
            accepted += AssertSame(bytes) ? 1 : 0;
        }

        Assert.InRange(accepted, 500, 7_500);
    }

    private static bool AssertSame(byte[] bytes)
    {
        var reader = new UaBinaryReader(bytes);
        var value = reader.ReadVariant();
        var isValue = (!reader.Failed && reader.Remaining == 0) || bytes.Length == 0;
        var writer = UaJsonWriter.Rent(JsonOf.Format(JsonEncoding.NonReversible));
        var hex = Convert.ToHexString(bytes);
        Assert.True(isValue == JsonTranscoder.TryWriteVariant(writer, bytes), hex);
        var text = Encoding.UTF8.GetString(writer.WrittenSpan);
        writer.Return();
        Assert.Equal(isValue ? JsonOf.Text(JsonEncoding.NonReversible, value) : "", text);
        return isValue;
    }

    private static void AssertEqual(JsonEncoding encoding, byte[] bytes)
    {
        var decoded = Wire.Decode(bytes, (ref UaBinaryReader r) => r.ReadVariant());
        Assert.Equal(
            JsonOf.Text(encoding, decoded),
            JsonOf.Text(encoding, w => Assert.True(JsonTranscoder.TryWriteVariant(w, bytes))));
    }
}
