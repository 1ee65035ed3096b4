using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>Good is written in arrays alone. Source: Part 6 §H.4.</summary>
public sealed class DeprecatedStatusTests
{
    [Fact]
    public void Variant_Good_HasNoBody()
    {
        var good = new Variant(StatusCode.Good);

        Assert.Equal("""{"Type":19}""", JsonOf.Text(JsonEncoding.Reversible, good));
        Assert.Equal("""{"Type":19}""", JsonOf.Text(
            JsonEncoding.Reversible, w => Assert.True(JsonTranscoder.TryWriteVariant(w, JsonOf.Binary(good)))));
        Assert.Equal(good, JsonOf.Variant("""{"Type":19}"""));
        Assert.Equal("""{"UaType":19,"Value":{}}""", JsonOf.Text(JsonEncoding.Compact, good));
        Assert.Equal("""{"UaType":19,"Value":{}}""", JsonOf.Text(JsonEncoding.Verbose, good));
        Assert.Equal("{}", JsonOf.Text(JsonEncoding.NonReversible, good));
    }

    [Theory]
    [InlineData(JsonEncoding.Reversible)]
    [InlineData(JsonEncoding.NonReversible)]
    public void Field_Good_IsOmitted(JsonEncoding encoding) => Assert.DoesNotContain(
        "StatusCode", JsonOf.Text(encoding, w => new CallMethodResult().Encode(w)), StringComparison.Ordinal);
}
