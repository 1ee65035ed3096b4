using System.Text.Json;
using Gateway.Host.Configuration;
using Gateway.Server;
using Gateway.Tests.Hosting;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary>What the gateway says of itself.</summary>
[Collection(RestFixture.Name)]
public sealed class StateTests(RestFixture fixture)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    /// <summary>A parser writes ^ as %5E, and then the password was found nowhere.</summary>
    [Theory]
    [InlineData("opc.tcp://gw:pa^ss@plc:4840", "opc.tcp://***@plc:4840")]
    [InlineData("opc.tpc://gw:p@ss@plc", "opc.tpc://***@plc")]
    [InlineData("opc.tcp://plc:4840/path", "opc.tcp://plc:4840/path")]
    [InlineData("anna@plant", "anna@plant")]
    public void WithoutUser_EachText_NoPasswordIsLeft(string text, string shown) =>
        Assert.Equal(shown, ConfigurationTable.WithoutUser(text));

    [Fact]
    public async Task Info_SaysVersionNamespacesAndEndpoints_AndHasAnETag()
    {
        using var answer = await _gateway.Observer.GetAsync(new Uri("/api/v1/info", UriKind.Relative));
        var info = await RestGateway.JsonOf(answer);

        Assert.Equal("OPC UA Gateway", info.GetProperty("product").GetString());
        Assert.Contains(
            "urn:gateway:simulator", info.GetProperty("namespaces").EnumerateArray().Select(one => one.GetString()));
        Assert.True(info.GetProperty("endpoints").GetArrayLength() > 0);
        using var again = new HttpRequestMessage(HttpMethod.Get, "/api/v1/info");
        again.Headers.IfNoneMatch.Add(answer.Headers.ETag!);
        using var unchanged = await _gateway.Observer.SendAsync(again);
        Assert.Equal(304, (int)unchanged.StatusCode);
    }

    [Fact]
    public async Task Limits_All_HaveValuesAndWords()
    {
        var (_, answer) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/limits?limit=1000");

        var limits = answer.GetProperty("limits").EnumerateArray().ToList();
        Assert.Equal(_gateway.Host.Get<LimitTable>().ByName.Count, limits.Count);
        Assert.All(limits, one => Assert.True(one.TryGetProperty("bounds", out _), one.ToString()));
        var sessions = limits.Single(one => one.GetProperty("name").GetString() == "MaxSessions");
        Assert.Equal(12_000, sessions.GetProperty("inForce").GetInt32());
        Assert.Equal(12_000, sessions.GetProperty("default").GetInt32());
        Assert.Equal("server", sessions.GetProperty("part").GetString());
        Assert.True(sessions.TryGetProperty("use", out _));
        Assert.True(sessions.TryGetProperty("remedy", out _));
    }

    [Theory]
    [InlineData("MaxConnections")]
    [InlineData("MaxSessions")]
    [InlineData("MaxHttpStreams")]
    [InlineData("MemoryBudgetBytes")]
    public async Task Limit_ByName_SaysItsUse(string name)
    {
        var (_, answer) = await RestGateway.GetAsync(
            _gateway.Observer, $"/api/v1/limits?name={name}&fields=name,use");

        var one = Assert.Single(answer.GetProperty("limits").EnumerateArray());
        Assert.Equal(["name", "use"], one.EnumerateObject().Select(member => member.Name));
    }

    /// <summary>The value as given beside the one that another limit leaves.</summary>
    [Fact]
    public async Task LimitTable_MoreThanAMessageHolds_ShowsBoth()
    {
        await using var application = Composition.Build(
            "--Limits:MaxRequestMessageSizeBytes=67108864", "--Limits:MaxMessageSizeBytes=1048576", "--demo",
            $"--Pki:Path={Directory.CreateTempSubdirectory("gateway-").FullName}");

        var table = application.Get<LimitTable>();

        Assert.Equal(67_108_864, table.ByName[nameof(ServerLimits.MaxRequestMessageSizeBytes)]);
        Assert.Equal(1_048_576, table.InForce[nameof(ServerLimits.MaxRequestMessageSizeBytes)]);
    }

    [Fact]
    public async Task Config_EachValue_HasItsOriginAndNoSecret()
    {
        using var answer = await _gateway.Engineer.GetAsync(new Uri("/api/v1/config?limit=1000", UriKind.Relative));
        var text = await answer.Content.ReadAsStringAsync();

        Assert.DoesNotContain("pbkdf2", text, StringComparison.Ordinal);
        using var json = JsonDocument.Parse(text);
        var values = json.RootElement.GetProperty("values").EnumerateArray()
            .ToDictionary(one => one.GetProperty("key").GetString()!);
        Assert.Equal("command line", values["OpcUa:Port"].GetProperty("origin").GetString());
        Assert.True(values["Users:0:PasswordHash"].GetProperty("secret").GetBoolean());
        Assert.Equal("observer", values["Users:0:Name"].GetProperty("value").GetString());
        Assert.Contains(values.Values, one => one.GetProperty("origin").GetString() == "default");
    }

    [Fact]
    public void ConfigurationTable_SecretsOfEachKind_AreNotThere()
    {
        var values = ConfigurationTable.Read(new ConfigurationLayers(Host.CommandLine.ReadConfiguration(
        [
            "--Users:0:PasswordHash=tell-tale", "--Upstreams:0:Password=tell-tale",
            "--Upstreams:0:EndpointUrl=opc.tcp://anna:tell-tale@press:4840",
            "--OpcUa:SecurityPolicies=None,Basic256Sha256",
        ])));

        Assert.DoesNotContain(values, one => one.Value?.Contains("tell-tale", StringComparison.Ordinal) == true);
        Assert.Equal("opc.tcp://***@press:4840", values.Single(one => one.Key == "Upstreams:0:EndpointUrl").Value);
        Assert.Equal(
            ["None", "Basic256Sha256"],
            values.Where(one => one.Key.StartsWith("OpcUa:SecurityPolicies:", StringComparison.Ordinal))
                .Select(one => one.Value));
    }

    /// <summary>A key that is added later is not forgotten.</summary>
    [Fact]
    public void Keys_NamedLikeASecret_AreOne()
    {
        string[] words = ["Password", "PasswordHash", "Secret", "Token", "PrivateKey"];

        var named = ConfigurationKeys.All.Where(key => words.Contains(key.Name.Split(':')[^1])).ToList();

        Assert.NotEmpty(named);
        Assert.All(named, key => Assert.True(key.IsSecret, key.Name));
    }

    [Fact]
    public async Task PubSub_NothingConfigured_SaysSo()
    {
        var (status, answer) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/pubsub");

        Assert.Equal(200, status);
        Assert.Equal(0, answer.GetProperty("connections").GetArrayLength());
        Assert.Equal(0, answer.GetProperty("dataSets").GetArrayLength());
    }

    [Fact]
    public async Task Health_EachCheck_IsListed()
    {
        var (status, answer) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/health");
        var (missing, _) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/health?name=Nothing");

        Assert.Equal(200, status);
        Assert.Equal("healthy", answer.GetProperty("health").GetString());
        Assert.Contains(
            "Readiness",
            answer.GetProperty("checks").EnumerateArray().Select(one => one.GetProperty("name").GetString()));
        Assert.Equal(404, missing);
    }

    /// <summary>A controller that does not answer is told by name, with the other checks.</summary>
    [Fact]
    public async Task Health_UpstreamIsAway_503NamesTheDriver()
    {
        await using var gateway = await RestGateway.StartAsync(
            "--Upstreams:0:Name=Press", "--Upstreams:0:EndpointUrl=opc.tcp://127.0.0.1:1",
            "--Upstreams:0:SecurityPolicy=None", "--Upstreams:0:SecurityMode=None");

        using var answer = await gateway.Observer.GetAsync(new Uri("/api/v1/health", UriKind.Relative));
        var json = await RestGateway.JsonOf(answer);

        Assert.Contains((int)answer.StatusCode, new[] { 200, 503 });
        var check = json.GetProperty("checks").EnumerateArray().Single(
            one => one.TryGetProperty("sources", out var sources) && sources.TryGetProperty("Press", out _));
        Assert.NotEqual("healthy", check.GetProperty("health").GetString());
    }
}
