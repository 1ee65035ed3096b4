using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Gateway.Loadtest.Machine;
using Gateway.Tests.Hosting;
using Gateway.Tests.Logging;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Http;

/// <summary>The paths as a user meets them, over a socket.</summary>
public sealed partial class HttpApiTests : IAsyncLifetime, IDisposable
{
    private const string Admission = "/api/v1/admission";

    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;
    private readonly HttpClient _http = new();
    private WebApplication? _application;

    public Task InitializeAsync() => Task.CompletedTask;

    public void Dispose() => _http.Dispose();

    public async Task DisposeAsync()
    {
        if (_application is not null)
            await _application.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Admission_NoLogin_AskedForOne()
    {
        await StartAsync();

        using var answer = await _http.GetAsync(Admission);

        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
        Assert.Equal("Basic", Assert.Single(answer.Headers.WwwAuthenticate).Scheme);
        await AssertProblemAsync(answer);
    }

    [Theory]
    [InlineData(Admission)]
    [InlineData(Admission + "/decisions")]
    [InlineData("/api/v1/upstreams")]
    [InlineData("/api/v1/upstreams/health")]
    public async Task Admission_AnyUser_Answered(string path)
    {
        await StartAsync();

        using var answer = await GetAsync(path, "anna", "horse");

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Equal("application/json", answer.Content.Headers.ContentType!.MediaType);
        Assert.True(answer.Headers.CacheControl!.NoStore);
        using var document = JsonDocument.Parse(await answer.Content.ReadAsStreamAsync());
        Assert.Equal(JsonValueKind.Object, document.RootElement.ValueKind);
    }

    [Theory]
    [InlineData("anna", "wrong")]
    [InlineData("nobody", "horse")]
    [InlineData("", "")]
    public async Task Admission_WrongLogin_SameAnswer(string user, string password)
    {
        await StartAsync();

        using var answer = await GetAsync(Admission, user, password);

        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
        await AssertProblemAsync(answer);
    }

    [Fact]
    public async Task Admission_LoginsOverHttp_AreInTheAuditLog()
    {
        await StartAsync();
        var log = new LogLines();
        _application!.Get<ILoggerFactory>().AddProvider(log);

        (await GetAsync(Admission, "anna", "wrong")).Dispose();
        (await GetAsync(Admission, "anna", "horse")).Dispose();
        (await GetAsync(Admission, "anna", "horse")).Dispose();

        Assert.Equal(
            [
                "Audit LoginRefused: BadUserAccessDenied user \"anna\" by HTTP from 127.0.0.1: "
                    + "wrong user name or password",
                "Audit LoginAccepted: Good user \"anna\" by HTTP from 127.0.0.1",
            ],
            log.Lines.Where(line => line.StartsWith("Audit Login", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Admission_Guesser_LockedOutAndListed()
    {
        await StartAsync("--Limits:MaxFailedLogins=3", "--Limits:FailedLoginInterval=00:10:00");
        for (var i = 0; i < 3; i++)
            (await GetAsync(Admission, "anna", "wrong")).Dispose();

        using var locked = await GetAsync(Admission, "anna", "horse");
        using var other = await GetAsync(Admission + "/decisions", "bert", "stall");

        Assert.Equal(HttpStatusCode.TooManyRequests, locked.StatusCode);
        Assert.NotNull(locked.Headers.RetryAfter);
        await AssertProblemAsync(locked);
        using var document = JsonDocument.Parse(await other.Content.ReadAsStreamAsync());
        var decision = document.RootElement.GetProperty("decisions")[0];
        Assert.Equal("http", decision.GetProperty("stage").GetString());
        Assert.Equal("locked_out", decision.GetProperty("reason").GetString());
        Assert.Equal("127.0.0.1", decision.GetProperty("address").GetString());
        Assert.Equal("MaxFailedLogins", decision.GetProperty("limit").GetProperty("name").GetString());
    }

    [Fact]
    public async Task OpenPaths_WrongLogin_NotLookedAt()
    {
        await StartAsync("--Limits:MaxFailedLogins=1", "--Limits:FailedLoginInterval=00:10:00");
        foreach (var path in new[] { "/livez", "/metrics", "/metrics" })
        {
            using var open = await GetAsync(path, "anna", "wrong");
            Assert.Equal(HttpStatusCode.OK, open.StatusCode);
        }

        using var answer = await GetAsync(Admission, "anna", "horse");

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
    }

    [Fact]
    public async Task Demo_Loopback_NoLoginNeeded()
    {
        await StartAsync("--Demo=true");

        using var answer = await _http.GetAsync(Admission);

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
    }

    /// <summary>Source: RFC 9110 §9.1.</summary>
    [Theory]
    [InlineData("/livez")]
    [InlineData("/readyz")]
    [InlineData("/metrics")]
    [InlineData("/api/v1/openapi.json")]
    [InlineData("/api/v1/upstreams/health")]
    [InlineData("/api/v1/values?node=i%3D2258")]
    [InlineData("/api/v1/admission")]
    public async Task Head_OfAPathThatTakesGet_TheSameWithoutABody(string path)
    {
        await StartAsync("--Demo=true");
        using var request = new HttpRequestMessage(HttpMethod.Head, path);

        using var answer = await _http.SendAsync(request).WaitAsync(Testing.Patience.Limit);
        using var got = await _http.GetAsync(path);

        Assert.Equal(
            (HttpStatusCode.OK, got.Content.Headers.ContentType),
            (answer.StatusCode, answer.Content.Headers.ContentType));
        Assert.Empty(await answer.Content.ReadAsByteArrayAsync());
    }

    [Theory]
    [InlineData("GET", "/api/v1", 404, "BadNotFound", "/api/v1/docs/")]
    [InlineData("GET", "/api/v1/nowhere", 404, "BadNotFound", "/api/v1/openapi.json")]
    [InlineData("GET", "/api/v2", 404, "BadNotFound", "/api/v1/openapi.json")]
    [InlineData("POST", "/api/v1/values", 405, "BadNotSupported", "expected GET, HEAD, PUT")]
    [InlineData("DELETE", "/api/v1/values", 405, "BadNotSupported", "expected GET, HEAD, PUT")]
    [InlineData("GET", "/api/v1/upstreams/health?name=x", 404, "BadNotFound", null)]
    [InlineData("POST", "/opcua-openapi/nothing", 404, "BadNotFound", "/opcua/openapi.json")]
    [InlineData("GET", "/opcua-openapi/read", 405, "BadNotSupported", "expected POST")]
    public async Task Path_OrMethodThatNobodyKnows_IsAProblem(
        string method, string path, int status, string code, string? detail)
    {
        await StartAsync("--Demo=true");
        using var request = new HttpRequestMessage(new HttpMethod(method), path);

        using var answer = await _http.SendAsync(request);

        Assert.Equal(status, (int)answer.StatusCode);
        Assert.Equal("application/problem+json", answer.Content.Headers.ContentType!.MediaType);
        using var document = JsonDocument.Parse(await answer.Content.ReadAsStreamAsync());
        Assert.Equal(status, document.RootElement.GetProperty("status").GetInt32());
        Assert.Equal(code, document.RootElement.GetProperty("statusCode").GetString());
        if (detail is not null)
            Assert.Contains(
                detail, document.RootElement.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("X-Forwarded-For", "192.0.2.1")]
    [InlineData("Forwarded", "for=192.0.2.1")]
    [InlineData("Host", "rebound.example")]
    public async Task Demo_ProxiedOrRebound_LoginNeeded(string header, string value)
    {
        await StartAsync("--Demo=true");
        using var request = new HttpRequestMessage(HttpMethod.Get, Admission);
        request.Headers.TryAddWithoutValidation(header, value);

        using var answer = await _http.SendAsync(request);

        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
    }

    [Fact]
    public async Task Upstreams_OneInsecure_SaidInWords()
    {
        await StartAsync(
            "--Upstreams:0:Name=Open", $"--Upstreams:0:EndpointUrl=opc.tcp://127.0.0.1:{FreePort.Next()}",
            "--Upstreams:0:SecurityPolicy=None",
            "--Upstreams:1:Name=Safe", $"--Upstreams:1:EndpointUrl=opc.tcp://127.0.0.1:{FreePort.Next()}");

        using var anonymous = await _http.GetAsync("/api/v1/upstreams");
        using var answer = await GetAsync("/api/v1/upstreams", "anna", "horse");

        Assert.Equal(HttpStatusCode.Unauthorized, anonymous.StatusCode);
        using var document = JsonDocument.Parse(await answer.Content.ReadAsStreamAsync());
        var upstreams = document.RootElement.GetProperty("upstreams");
        Assert.Equal(["Open", "Safe"], upstreams.EnumerateArray().Select(one => one.GetProperty("name").GetString()));
        Assert.True(upstreams[0].GetProperty("insecure").GetBoolean());
        Assert.Contains("SecurityPolicy None", upstreams[0].GetProperty("insecureReason").GetString()!);
        Assert.Equal("None", upstreams[0].GetProperty("securityMode").GetString());
        Assert.False(upstreams[1].GetProperty("insecure").GetBoolean());
        Assert.Equal("SignAndEncrypt", upstreams[1].GetProperty("securityMode").GetString());
        Assert.Contains(upstreams[1].GetProperty("state").GetString(), new[] { "connecting", "away" });
    }

    [Fact]
    public async Task Metrics_Gateway_EveryFamilyNamedAndDescribed()
    {
        await StartAsync();

        var lines = (await _http.GetStringAsync("/metrics")).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var types = lines.Where(line => line.StartsWith("# TYPE", StringComparison.Ordinal))
            .Select(line => line.Split(' ')).ToDictionary(words => words[2], words => words[3]);
        var described = lines.Where(line => line.StartsWith("# HELP", StringComparison.Ordinal))
            .Select(line => line.Split(' ')[2]).ToHashSet();

        Assert.True(types.Count > 50);
        Assert.All(types, family =>
        {
            Assert.Matches("^gateway_[a-z_]+$", family.Key);
            Assert.Equal(family.Value == "counter", family.Key.EndsWith("_total", StringComparison.Ordinal));
            Assert.DoesNotMatch("_(total_.*|seconds_.*_seconds|bytes_.*_bytes|count|sum|bucket)$", family.Key);
            Assert.Contains(family.Key, described);
        });
        Assert.Equal(lines.Length, lines.Distinct().Count());
        // OpenMetrics knows a counter without _total: nothing else may have that name.
        var names = types.Keys.Select(name => Total().Replace(name, "")).ToList();
        Assert.Equal(names.Count, names.Distinct().Count());
    }

    [Fact]
    public async Task Metrics_TwoFormats_OfferedByAccept()
    {
        await StartAsync();
        using var request = new HttpRequestMessage(HttpMethod.Get, "/metrics");
        request.Headers.TryAddWithoutValidation("Accept", "application/openmetrics-text;version=1.0.0,*/*;q=0.1");

        using var text = await _http.GetAsync("/metrics");
        using var open = await _http.SendAsync(request);

        Assert.Equal("text/plain; version=0.0.4; charset=utf-8", text.Content.Headers.ContentType!.ToString());
        Assert.Equal(
            "application/openmetrics-text; version=1.0.0; charset=utf-8", open.Content.Headers.ContentType!.ToString());
        Assert.EndsWith("\n# EOF\n", await open.Content.ReadAsStringAsync());
        Assert.Equal("Accept", Assert.Single(open.Headers.Vary));
    }

    [GeneratedRegex("_total$")]
    private static partial Regex Total();

    private static async Task AssertProblemAsync(HttpResponseMessage answer)
    {
        Assert.Equal("application/problem+json", answer.Content.Headers.ContentType!.MediaType);
        using var document = JsonDocument.Parse(await answer.Content.ReadAsStreamAsync());
        Assert.Equal(
            ["type", "title", "status", "statusCode"],
            document.RootElement.EnumerateObject().Select(one => one.Name));
        Assert.Equal((int)answer.StatusCode, document.RootElement.GetProperty("status").GetInt32());
    }

    private Task<HttpResponseMessage> GetAsync(string path, string user, string password)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Authorization = new AuthenticationHeaderValue(
            "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes($"{user}:{password}")));
        return _http.SendAsync(request);
    }

    private async Task StartAsync(params string[] options)
    {
        _application = Composition.Build(
        [
            $"--Pki:Path={_folder}",
            "--Users:0:Name=anna", "--Users:0:Password=horse", "--Users:0:Roles:0=Observer",
            "--Users:1:Name=bert", "--Users:1:Password=stall", "--Users:1:Roles:0=Operator",
            .. options,
        ]);
        await _application.StartAsync();
        _http.BaseAddress = Composition.HttpOf(_application);
    }
}
