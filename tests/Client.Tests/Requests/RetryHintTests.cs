using Gateway.Client.Requests;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using KeyValuePair = Gateway.Codec.Structures.KeyValuePair;

namespace Gateway.Client.Tests.Requests;

public sealed class RetryHintTests
{
    [Theory]
    [InlineData("RetryAfterMs=1500", 1500)]
    [InlineData("the peer said Bad_TcpServerTooBusy: RetryAfterMs=20; later", 20)]
    [InlineData("RetryAfterMs=0", null)]
    [InlineData("RetryAfterMs=-5", null)]
    [InlineData("RetryAfterMs=", null)]
    [InlineData("RetryAfterMs=99999999999999999999999", null)]
    [InlineData("RetryAfterMs=9999999999999999", 86_400_000)]
    [InlineData("too busy", null)]
    [InlineData("", null)]
    public void FromReason_Text_Milliseconds(string reason, int? expected) =>
        Assert.Equal(expected, RetryHint.FromReason(reason)?.TotalMilliseconds);

    [Fact]
    public void FromResponse_AdditionalParameters_TheOneOfThatName()
    {
        var message = Fault(
            new KeyValuePair { Key = new QualifiedName("Other"), Value = new Variant(7L) },
            new KeyValuePair { Key = new QualifiedName("RetryAfterMs"), Value = new Variant(2500L) });
        Assert.Equal(
            TimeSpan.FromMilliseconds(2500), RetryHint.FromResponse(message, DecodingLimits.Default));
    }

    [Fact]
    public void FromResponse_NoneOrNonsense_Null()
    {
        Assert.Null(RetryHint.FromResponse(Fault(), DecodingLimits.Default));
        Assert.Null(RetryHint.FromResponse(
            Fault(new KeyValuePair { Key = new QualifiedName("RetryAfterMs"), Value = new Variant("soon") }),
            DecodingLimits.Default));
        Assert.Null(RetryHint.FromResponse([1, 2, 3], DecodingLimits.Default));
        var plain = FakeServer.Encode(new ServiceFault());
        Assert.Null(RetryHint.FromResponse(plain, DecodingLimits.Default));
    }

    private static byte[] Fault(params KeyValuePair[] parameters) => FakeServer.Encode(new ServiceFault
    {
        ResponseHeader = new ResponseHeader
        {
            ServiceResult = StatusCodes.BadServerTooBusy,
            AdditionalHeader = new ExtensionObject(new AdditionalParametersType { Parameters = parameters }),
        },
    });
}
