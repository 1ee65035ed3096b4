using Gateway.Codec.Json;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>What was written is read as the same value. JSON knows one NULL where objects have several, so values are
/// held against each other by their Compact text; the types and shapes are in it.</summary>
public sealed class JsonRoundTripTests
{
    private const int Values = 1_500;

    [Theory]
    [InlineData(JsonEncoding.Compact)]
    [InlineData(JsonEncoding.Verbose)]
    [InlineData(JsonEncoding.Reversible)]
    public void Variant_Generated_ComesBack(JsonEncoding encoding)
    {
        var random = new RandomValues(20_261_121);
        for (var i = 0; i < Values; i++)
        {
            var value = random.Variant();
            var text = JsonOf.Text(encoding, value);
            var back = JsonOf.Variant(text);
            Assert.Equal(text, JsonOf.Text(encoding, back));
            Assert.Equal(JsonOf.Text(JsonEncoding.Compact, value), JsonOf.Text(JsonEncoding.Compact, back));
        }
    }

    [Theory]
    [InlineData(JsonEncoding.Compact)]
    [InlineData(JsonEncoding.Verbose)]
    [InlineData(JsonEncoding.Reversible)]
    public void DataValue_Generated_ComesBack(JsonEncoding encoding)
    {
        var random = new RandomValues(42);
        for (var i = 0; i < Values; i++)
        {
            var value = random.DataValue();
            var text = JsonOf.Text(encoding, w => w.WriteDataValue(value));
            var back = JsonOf.Value(text, (ref UaJsonReader r) => r.ReadDataValue());
            Assert.Equal(text, JsonOf.Text(encoding, w => w.WriteDataValue(back)));
            Assert.Equal((value.Status, value.SourcePicoseconds), (back.Status, back.SourcePicoseconds));
            Assert.Equal((value.SourceTimestamp, value.ServerTimestamp), (back.SourceTimestamp, back.ServerTimestamp));
        }
    }

    /// <summary>The types that have only one form of each value come back as equal objects.</summary>
    [Theory]
    [InlineData(BuiltInType.Boolean)]
    [InlineData(BuiltInType.SByte)]
    [InlineData(BuiltInType.Byte)]
    [InlineData(BuiltInType.Int16)]
    [InlineData(BuiltInType.UInt16)]
    [InlineData(BuiltInType.Int32)]
    [InlineData(BuiltInType.UInt32)]
    [InlineData(BuiltInType.Int64)]
    [InlineData(BuiltInType.UInt64)]
    [InlineData(BuiltInType.Float)]
    [InlineData(BuiltInType.Double)]
    [InlineData(BuiltInType.String)]
    [InlineData(BuiltInType.DateTime)]
    [InlineData(BuiltInType.Guid)]
    [InlineData(BuiltInType.ByteString)]
    [InlineData(BuiltInType.XmlElement)]
    [InlineData(BuiltInType.StatusCode)]
    [InlineData(BuiltInType.DataValue)]
    public void Array_Samples_ComeBackEqual(BuiltInType type)
    {
        var samples = Variant.FromArray(type, Samples.SampleVariants.Arrays[type]);
        foreach (var encoding in new[] { JsonEncoding.Compact, JsonEncoding.Verbose, JsonEncoding.Reversible })
            Assert.Equal(samples, JsonOf.Variant(JsonOf.Text(encoding, samples)));
    }
}
