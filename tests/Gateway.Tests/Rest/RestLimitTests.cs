using System.Text.Json;

namespace Gateway.Tests.Rest;

/// <summary>Each limit of the resource API, on a gateway where it is small.</summary>
public sealed class RestLimitTests : IAsyncLifetime
{
    private RestGateway _gateway = null!;

    public async Task InitializeAsync() =>
        _gateway = await RestGateway.StartAsync("--Limits:MaxHttpNodes=2", "--Limits:MaxHttpPageNodes=3");

    public async Task DisposeAsync() => await _gateway.DisposeAsync();

    [Theory]
    [InlineData(2, 200)]
    [InlineData(3, 400)]
    public async Task Get_MoreNodesThanMaxHttpNodes_IsRefusedByName(int count, int expected)
    {
        var (status, json) = await RestGateway.GetAsync(
            _gateway.Observer, RestGateway.Query("/api/v1/values", [.. Enumerable.Repeat("i=2258", count)]));

        AssertRefused(expected, status, json);
    }

    [Theory]
    [InlineData(2, 200)]
    [InlineData(3, 400)]
    public async Task Put_MoreValuesThanMaxHttpNodes_IsRefusedByName(int count, int expected)
    {
        var values = string.Join(',', Enumerable.Repeat("""{"node":"ns=2;s=Int16","value":1}""", count));

        var (status, json) = await RestGateway.SendAsync(
            _gateway.Operator, HttpMethod.Put, "/api/v1/values", $$"""{"values":[{{values}}]}""");

        AssertRefused(expected, status, json);
    }

    [Fact]
    public async Task Children_LimitAboveMaxHttpPageNodes_AreAPageOfThatMany()
    {
        var (status, json) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/nodes/i=2253/children?limit=1000");

        Assert.Equal(200, status);
        Assert.Equal(3, json.GetProperty("nodes").GetArrayLength());
        Assert.True(json.TryGetProperty("next", out _));
    }

    private static void AssertRefused(int expected, int status, JsonElement json)
    {
        Assert.Equal(expected, status);
        if (expected == 200)
            return;
        Assert.Equal("BadTooManyOperations", json.GetProperty("statusCode").GetString());
        Assert.Contains("MaxHttpNodes", json.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }
}
