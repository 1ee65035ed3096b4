using System.Text.Json;
using Gateway.Host.Overview;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary><c>/overview</c> and <c>/me</c>: what a page needs when it opens.</summary>
[Collection(RestFixture.Name)]
public sealed class OverviewTests(RestFixture fixture)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    [Fact]
    public async Task Overview_Sampled_HasCountersAndRates()
    {
        _gateway.Host.Get<OverviewSampler>().Sample();

        var (status, answer) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/overview");

        Assert.Equal(200, status);
        Assert.Equal(2000, answer.GetProperty("intervalMs").GetInt32());
        var last = answer.GetProperty("samples").EnumerateArray().Last();
        Assert.Equal(answer.GetProperty("sequence").GetInt64(), last.GetProperty("sequence").GetInt64());
        Assert.True(last.GetProperty("memoryBytes").GetInt64() > 0);
        Assert.True(last.GetProperty("httpConnections").GetInt64() > 0);
        Assert.True(last.GetProperty("cpuPercent").GetDouble() >= 0);
    }

    [Fact]
    public async Task Overview_Since_OnlyWhatIsNew()
    {
        var sampler = _gateway.Host.Get<OverviewSampler>();
        sampler.Sample();
        var known = sampler.Read(0)[^1].Sequence;
        sampler.Sample();

        var (_, answer) = await RestGateway.GetAsync(_gateway.Observer, $"/api/v1/overview?since={known}");

        var samples = answer.GetProperty("samples").EnumerateArray().ToList();
        Assert.NotEmpty(samples);
        Assert.All(samples, one => Assert.True(one.GetProperty("sequence").GetInt64() > known));
    }

    [Fact]
    public async Task Overview_SinceAnotherStart_All()
    {
        var sampler = _gateway.Host.Get<OverviewSampler>();
        sampler.Sample();

        var (_, answer) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/overview?since=9000000");

        Assert.NotEmpty(answer.GetProperty("samples").EnumerateArray());
    }

    [Fact]
    public void Sampler_MoreThanItKeeps_TheLastTenMinutes()
    {
        var sampler = _gateway.Host.Get<OverviewSampler>();
        for (var i = 0; i < 310; i++)
            sampler.Sample();

        var samples = sampler.Read(0);

        Assert.Equal(300, samples.Count);
        Assert.Equal(
            Enumerable.Range(0, 300).Select(i => samples[0].Sequence + i), samples.Select(one => one.Sequence));
    }

    [Theory]
    [InlineData("soon")]
    [InlineData("-1")]
    [InlineData("99999999999999999999")]
    public async Task Overview_SinceNoNumber_400(string since)
    {
        var (status, answer) = await RestGateway.GetAsync(_gateway.Observer, $"/api/v1/overview?since={since}");

        Assert.Equal(400, status);
        Assert.Equal("BadInvalidArgument", answer.GetProperty("statusCode").GetString());
    }

    [Fact]
    public async Task Me_EachRole_ItsNameAndPermissions()
    {
        var observer = await MeOf(_gateway.Observer);
        var engineer = await MeOf(_gateway.Engineer);
        var admin = await MeOf(_gateway.SecurityAdmin);

        Assert.Equal("observer", observer.GetProperty("name").GetString());
        Assert.Equal("password", observer.GetProperty("kind").GetString());
        Assert.Equal(["Observer"], TextsOf(observer, "roles"));
        Assert.Equal(["readState", "readClients"], TextsOf(observer, "permissions"));
        Assert.False(observer.GetProperty("canWrite").GetBoolean());
        Assert.True(observer.GetProperty("demo").GetBoolean());
        Assert.False(observer.TryGetProperty("expiresAt", out _));
        Assert.True(engineer.GetProperty("canCall").GetBoolean());
        Assert.Contains("endClients", TextsOf(engineer, "permissions"));
        Assert.DoesNotContain("manageCertificates", TextsOf(engineer, "permissions"));
        Assert.Contains("manageCertificates", TextsOf(admin, "permissions"));
    }

    private static async Task<JsonElement> MeOf(HttpClient client)
    {
        var (status, answer) = await RestGateway.GetAsync(client, "/api/v1/me");
        Assert.Equal(200, status);
        return answer;
    }

    private static List<string?> TextsOf(JsonElement of, string list) =>
        [.. of.GetProperty(list).EnumerateArray().Select(static one => one.GetString())];
}
