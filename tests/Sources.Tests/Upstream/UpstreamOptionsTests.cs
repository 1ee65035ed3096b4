using Gateway.Sources.Upstream;

namespace Gateway.Sources.Tests.Upstream;

public sealed class UpstreamOptionsTests
{
    [Fact]
    public void Validate_Complete_NothingWrong()
    {
        var options = new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://plc:4840/UA",
            SecurityPolicy = "basic256sha256",
            SecurityMode = "Sign",
            Roots = ["nsu=urn:x;s=Line", "ns=2;i=5"],
        };
        Assert.Empty(options.Validate("Upstreams:0"));
    }

    [Fact]
    public void Validate_AllWrong_EachNamedWithItsKey()
    {
        var options = new UpstreamOptions
        {
            EndpointUrl = "http://plc",
            SecurityPolicy = "Basic128Rsa15",
            SecurityMode = "Encrypt",
            PublishingIntervalMs = double.NaN,
            MaxNodes = 0,
            Roots = ["?"],
            Password = "secret",
        };
        var errors = options.Validate("Upstreams:3").ToArray();
        string[] keys =
        [
            "Name", "EndpointUrl", "SecurityPolicy", "SecurityMode", "PublishingIntervalMs", "MaxNodes", "Roots",
        ];
        Assert.Equal(keys.Select(key => "Upstreams:3:" + key), errors.Select(error => error.Split(' ')[0]));
        Assert.DoesNotContain(errors, error => error.Contains("secret", StringComparison.Ordinal));
    }
}
