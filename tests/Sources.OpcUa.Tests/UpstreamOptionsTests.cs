using Gateway.Sources.OpcUa.Reverse;

namespace Gateway.Sources.OpcUa.Tests;

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

    [Theory]
    [InlineData("None", "Sign")]
    [InlineData("None", "SignAndEncrypt")]
    [InlineData("Basic256Sha256", "None")]
    public void Validate_ModeThatDoesNotGoWithThePolicy_Told(string policy, string mode)
    {
        var options = new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://plc",
            SecurityPolicy = policy,
            SecurityMode = mode,
        };
        Assert.StartsWith("Upstreams:0:SecurityMode: ", Assert.Single(options.Validate("Upstreams:0")));
    }

    [Theory]
    [InlineData("", "", false, null)]
    [InlineData("Basic256Sha256", "", false, null)]
    [InlineData("", "", true, "AllowInsecurePassword")]
    [InlineData("", "Sign", false, "SecurityMode=Sign")]
    [InlineData("None", "", false, "SecurityPolicy None")]
    [InlineData("", "None", false, "SecurityPolicy None")]
    public void InsecureReason_EachSetting_SaidInWords(string policy, string mode, bool allow, string? reason)
    {
        var options = new UpstreamOptions
        {
            SecurityPolicy = policy,
            SecurityMode = mode,
            User = "joe",
            AllowInsecurePassword = allow,
        };
        if (reason is null)
            Assert.Null(options.InsecureReason);
        else
            Assert.Contains(reason, options.InsecureReason, StringComparison.Ordinal);
    }

    /// <summary>Nothing but what it says chooses the upstream.</summary>
    [Fact]
    public void InsecureReason_ReverseConnectWithoutSecurity_SaysThatAnybodyIsTakenForIt()
    {
        Assert.Contains("ReverseConnect:Port", Reverse("", "None").InsecureReason, StringComparison.Ordinal);
        Assert.Null(Reverse("", "").InsecureReason);
    }

    [Theory]
    [InlineData("opc.tcp://plc", "", "opc.tcp://PLC/", "", true)]
    [InlineData("opc.tcp://plc", "urn:a", "opc.tcp://plc", "", true)]
    [InlineData("opc.tcp://plc", "urn:a", "opc.tcp://plc", "urn:a", true)]
    [InlineData("opc.tcp://plc", "urn:a", "opc.tcp://plc", "urn:b", false)]
    [InlineData("opc.tcp://plc", "", "opc.tcp://plc2", "", false)]
    public void Validate_TwoReverseConnectUpstreams_EachHasNamesOfItsOwn(
        string url, string uri, string otherUrl, string otherUri, bool isWrong)
    {
        UpstreamOptions Named(string at, string server) =>
            new() { Name = at, EndpointUrl = at, ServerUri = server, ReverseConnect = true };

        var errors = ReverseNames.Validate(
            [("Upstreams:0", Named(url, uri)), ("Upstreams:1", Named(otherUrl, otherUri))]).ToList();

        Assert.Equal(isWrong, errors.Count == 1);
        Assert.All(errors, static one => Assert.StartsWith("Upstreams:1:EndpointUrl: ", one));
    }

    [Fact]
    public void Validate_BackupOfAnotherReverseConnectUpstream_Told()
    {
        var one = new UpstreamOptions
        {
            EndpointUrl = "opc.tcp://a",
            BackupUrls = ["opc.tcp://b"],
            ReverseConnect = true,
        };
        var other = new UpstreamOptions { EndpointUrl = "opc.tcp://b", ServerUri = "urn:b", ReverseConnect = true };

        Assert.Single(ReverseNames.Validate([("Upstreams:0", one), ("Upstreams:1", other)]));
    }

    [Fact]
    public void Validate_BackupIsTheSameInOtherWords_Told()
    {
        var options = new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://plc",
            BackupUrls = ["opc.tcp://PLC/"],
        };

        Assert.StartsWith("Upstreams:0:BackupUrls: ", Assert.Single(options.Validate("Upstreams:0")));
    }

    private static UpstreamOptions Reverse(string uri, string policy) => new()
    {
        Name = "A",
        EndpointUrl = "opc.tcp://plc",
        ServerUri = uri,
        ReverseConnect = true,
        SecurityPolicy = policy,
    };

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
        Assert.Equal(keys.Select(key => $"Upstreams:3:{key}:"), errors.Select(error => error.Split(' ')[0]));
        Assert.DoesNotContain(errors, error => error.Contains("secret", StringComparison.Ordinal));
    }
}
