using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>Source: Part 6 §5.1.10, §5.4.3.</summary>
public sealed class DecimalJsonTests
{
    [Theory]
    [InlineData("AgA5MA==", "2", "12345")]
    [InlineData("//85MA==", "-1", "12345")]
    [InlineData("AAD/", "0", "-1")]
    [InlineData("AAD/AA==", "0", "255")]
    [InlineData("AAAA", "0", "0")]
    [InlineData("AwAAAAAAAAAAAAAAAQ==", "3", "1208925819614629174706176")]
    public void Decimal_InAVariant_IsWrittenAndReadBack(string body, string scale, string value)
    {
        var bytes = Convert.FromBase64String(body);
        var variant = new Variant(new ExtensionObject(new NodeId(50), bytes));
        var text = $$$"""{"UaType":22,"Value":{"UaTypeId":"i=50","Scale":{{{scale}}},"Value":"{{{value}}}"}}""";

        Assert.Equal(text, JsonOf.Text(JsonEncoding.Compact, variant));
        Assert.Equal(text, JsonOf.Text(
            JsonEncoding.Compact, w => Assert.True(JsonTranscoder.TryWriteVariant(w, JsonOf.Binary(variant)))));
        Assert.Equal(bytes, JsonOf.Variant(text).AsExtensionObject().Body);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(259)]
    public void Decimal_TooShortOrTooLong_StaysBinary(int length)
    {
        var value = new Variant(new ExtensionObject(new NodeId(50), new byte[length]));

        Assert.Contains("\"UaEncoding\":1", JsonOf.Text(JsonEncoding.Compact, value), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("12345")]
    [InlineData("\"12.5\"")]
    [InlineData("\"\"")]
    [InlineData("null")]
    public void Decimal_ValueThatIsNoIntegerInAString_IsRefused(string value)
    {
        var (status, problem) = JsonOf.FailVariant(
            $$$"""{"UaType":22,"Value":{"UaTypeId":"i=50","Scale":2,"Value":{{{value}}}}}""");

        Assert.Equal(StatusCodes.BadDecodingError, status.Code);
        Assert.Contains("expected an integer as a string", problem, StringComparison.Ordinal);
    }
}
