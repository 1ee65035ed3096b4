using System.Text.Json;
using Gateway.Host.Configuration;
using Gateway.Server.Users;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary><c>POST /config/check</c>: a configuration is judged, and nothing changes.</summary>
[Collection(RestFixture.Name)]
public sealed class ConfigurationCheckTests(RestFixture fixture)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    [Fact]
    public async Task Check_NothingNew_NoChange()
    {
        var answer = await CheckAsync("{}");

        Assert.True(answer.GetProperty("ok").GetBoolean());
        Assert.Equal(0, answer.GetProperty("errors").GetArrayLength());
        Assert.Equal("[]", answer.GetProperty("changes").ToString());
        Assert.False(answer.GetProperty("restart").GetBoolean());
    }

    [Fact]
    public async Task Check_SeveralErrors_AllWithTheirKeys()
    {
        var answer = await CheckAsync(
            """
            {
              "Limits": {"MaxSessions": "many", "MaxSesions": 1},
              "Upstreams": [{"Name": "Press", "EndpointUrl": "ftp://x"}]
            }
            """);

        Assert.False(answer.GetProperty("ok").GetBoolean());
        var errors = answer.GetProperty("errors").EnumerateArray()
            .ToDictionary(one => one.GetProperty("key").GetString()!, one => one.GetProperty("problem").GetString()!);
        Assert.Equal(["Limits:MaxSesions", "Limits:MaxSessions", "Upstreams:0:EndpointUrl"], errors.Keys.Order());
        Assert.Contains("did you mean Limits:MaxSessions", errors["Limits:MaxSesions"], StringComparison.Ordinal);
        Assert.Equal(0, answer.GetProperty("changes").GetArrayLength());
    }

    [Theory]
    [InlineData("{\"Limits\":")]
    [InlineData("[]")]
    [InlineData("{\"Limits\":{\"MaxSessions\":1,\"MaxSessions\":2}}")]
    public async Task Check_NoConfiguration_SaysSoWithoutAKey(string json)
    {
        var answer = await CheckAsync(json);

        Assert.False(answer.GetProperty("ok").GetBoolean());
        var error = Assert.Single(answer.GetProperty("errors").EnumerateArray());
        Assert.False(error.TryGetProperty("key", out _), error.ToString());
        Assert.NotEmpty(error.GetProperty("problem").GetString()!);
    }

    /// <summary>As many as a body holds; to list them took minutes, and every reload waited.</summary>
    [Fact]
    public async Task Check_ABodyFullOfKeys_OneError()
    {
        var answer = await CheckAsync($$"""{"a":[{{string.Join(',', Enumerable.Repeat(1, 500_000))}}]}""");

        Assert.Contains("more than 10000 keys", answer.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Check_TooManyKeys_OneError()
    {
        var keys = string.Join(',', Enumerable.Range(0, 10_001).Select(number => $"\"k{number}\":1"));

        var answer = await CheckAsync($"{{{keys}}}");

        Assert.Contains(
            "more than 10000 keys",
            Assert.Single(answer.GetProperty("errors").EnumerateArray()).GetProperty("problem").GetString()!,
            StringComparison.Ordinal);
    }

    /// <summary>Secrets are named, and shown to nobody.</summary>
    [Fact]
    public async Task Check_AChangeOfEachKind_FromAndTo()
    {
        var answer = await CheckAsync(
            """
            {
              "Limits": {"MaxSessions": 100, "MaxConnections": 13000},
              "Upstreams": [
                {"Name": "Press", "EndpointUrl": "opc.tcp://eva:tell-tale@press:4840", "User": "eva",
                 "Password": "tell-tale"}
              ]
            }
            """);

        Assert.True(answer.GetProperty("ok").GetBoolean(), answer.ToString());
        Assert.DoesNotContain("tell-tale", answer.ToString(), StringComparison.Ordinal);
        var changes = answer.GetProperty("changes").EnumerateArray()
            .ToDictionary(one => one.GetProperty("key").GetString()!);
        Assert.Equal(
            ["Limits:MaxSessions", "Upstreams:0:EndpointUrl", "Upstreams:0:Name", "Upstreams:0:Password",
                "Upstreams:0:User"],
            changes.Keys.Order());
        Assert.Equal("12000", changes["Limits:MaxSessions"].GetProperty("from").GetString());
        Assert.Equal("100", changes["Limits:MaxSessions"].GetProperty("to").GetString());
        Assert.False(changes["Upstreams:0:Name"].TryGetProperty("from", out _));
        Assert.True(changes["Upstreams:0:Password"].GetProperty("secret").GetBoolean());
        var (_, now) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/limits?name=MaxSessions&fields=inForce");
        Assert.Equal(12_000, now.GetProperty("limits")[0].GetProperty("inForce").GetInt32());
    }

    /// <summary>The command line has precedence over the file, so the file's value changes nothing.</summary>
    [Fact]
    public async Task Check_KeyOfTheCommandLine_NoChange()
    {
        var answer = await CheckAsync("""{"OpcUa":{"Port":4999}}""");

        Assert.True(answer.GetProperty("ok").GetBoolean());
        Assert.Equal(0, answer.GetProperty("changes").GetArrayLength());
    }

    /// <summary>A hash costs as much as a login.</summary>
    [Fact]
    public void Candidate_ManyPasswords_MakesOneHash()
    {
        using var json = new MemoryStream(
            """{"Users":[{"Name":"a","Password":"x"},{"Name":"b","Password":"y"}]}"""u8.ToArray());

        var users = new GatewayOptions(new ConfigurationSource([]).Read(json)).Get<UserOptions>();

        Assert.Equal(["a", "b"], users.Accounts.Select(one => one.Name));
        Assert.Single(users.Accounts.Select(one => one.Password).Distinct());
    }

    private async Task<JsonElement> CheckAsync(string json)
    {
        var (status, answer) = await RestGateway.SendAsync(
            _gateway.Engineer, HttpMethod.Post, "/api/v1/config/check", json);
        Assert.Equal(200, status);
        return answer;
    }
}
