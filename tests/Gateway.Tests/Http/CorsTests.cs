using System.Net;
using Gateway.Tests.Rest;
using Gateway.Tests.Tls;

namespace Gateway.Tests.Http;

/// <summary>Pages of other origins, and what browsers are told with each answer.</summary>
public sealed class CorsTests
{
    private const string Page = "https://hmi.plant.example";
    private const string Path = "/api/v1/values?node=ns%3D2%3Bs%3DInt16";

    [Fact]
    public async Task Preflight_NamedOrigin_AnsweredWithoutALogin()
    {
        await using var gateway = await RestGateway.StartAsync($"--Http:Cors:Origins:0={Page}");

        using var answer = await SendAsync(gateway.Host.Client, HttpMethod.Options, Page, isPreflight: true);

        Assert.Equal(HttpStatusCode.NoContent, answer.StatusCode);
        Assert.Equal(Page, Header(answer, "Access-Control-Allow-Origin"));
        Assert.Equal("true", Header(answer, "Access-Control-Allow-Credentials"));
        Assert.Contains("PUT", Header(answer, "Access-Control-Allow-Methods"), StringComparison.Ordinal);
        foreach (var header in new[] { "Authorization", "Content-Encoding", "OPCUA-SecurityPolicy" })
            Assert.Contains(header, Header(answer, "Access-Control-Allow-Headers"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("https://other.example")]
    [InlineData("http://hmi.plant.example")]
    [InlineData("https://hmi.plant.example:8443")]
    [InlineData("null")]
    public async Task Page_OfAnotherOrigin_ToldNothing(string origin)
    {
        await using var gateway = await RestGateway.StartAsync($"--Http:Cors:Origins:0={Page}");

        using var preflight = await SendAsync(gateway.Host.Client, HttpMethod.Options, origin, isPreflight: true);
        using var answer = await SendAsync(gateway.Observer, HttpMethod.Get, origin);

        Assert.Null(Header(preflight, "Access-Control-Allow-Origin"));
        Assert.Null(Header(answer, "Access-Control-Allow-Origin"));
    }

    [Fact]
    public async Task Page_ByDefault_ToldNothing()
    {
        await using var gateway = await RestGateway.StartAsync();

        using var preflight = await SendAsync(gateway.Host.Client, HttpMethod.Options, Page, isPreflight: true);
        using var answer = await SendAsync(gateway.Observer, HttpMethod.Get, Page);

        Assert.Null(Header(preflight, "Access-Control-Allow-Origin"));
        Assert.Null(Header(answer, "Access-Control-Allow-Origin"));
    }

    /// <summary>The page can read why it is refused.</summary>
    [Fact]
    public async Task Page_NamedOrigin_ReadsAnswersAndRefusals()
    {
        await using var gateway = await RestGateway.StartAsync($"--Http:Cors:Origins:0={Page}");
        using var stranger = new HttpClient { BaseAddress = gateway.Host.Client.BaseAddress };
        stranger.DefaultRequestHeaders.TryAddWithoutValidation("Authorization", "Basic eDp5");

        using var good = await SendAsync(gateway.Observer, HttpMethod.Get, Page);
        using var refused = await SendAsync(stranger, HttpMethod.Get, Page);

        Assert.Equal((HttpStatusCode.OK, Page), (good.StatusCode, Header(good, "Access-Control-Allow-Origin")));
        Assert.Equal(
            (HttpStatusCode.Unauthorized, Page), (refused.StatusCode, Header(refused, "Access-Control-Allow-Origin")));
        Assert.Contains("Retry-After", Header(refused, "Access-Control-Expose-Headers"), StringComparison.Ordinal);
    }

    /// <summary>404: it has looked for the certificate.</summary>
    [Theory]
    [InlineData(Page, "cross-site", 404)]
    [InlineData(Page, null, 404)]
    [InlineData("https://other.example", "cross-site", 403)]
    [InlineData("https://other.example", null, 403)]
    public async Task Page_ManagesCertificates_NamedOriginOnly(string origin, string? site, int status)
    {
        await using var gateway = await RestGateway.StartAsync($"--Http:Cors:Origins:0={Page}");
        using var request = new HttpRequestMessage(
            HttpMethod.Post, $"/api/v1/certificates/{new string('A', 40)}/trust");
        request.Headers.Add("Origin", origin);
        if (site is not null)
            request.Headers.Add("Sec-Fetch-Site", site);

        using var answer = await gateway.SecurityAdmin.SendAsync(request);

        Assert.Equal(status, (int)answer.StatusCode);
    }

    /// <summary>Preflights are requests of their address as any other; a refusal says so to the page.</summary>
    [Fact]
    public async Task Preflight_MoreThanTheAddressMay_429()
    {
        await using var gateway = await RestGateway.StartAsync(
            $"--Http:Cors:Origins:0={Page}", "--Limits:MaxHttpRequestsPerSecondPerAddress=1");
        var last = HttpStatusCode.NoContent;
        for (var i = 0; i < 20 && last == HttpStatusCode.NoContent; i++)
        {
            using var answer = await SendAsync(gateway.Host.Client, HttpMethod.Options, Page, isPreflight: true);
            last = answer.StatusCode;
        }

        Assert.Equal(HttpStatusCode.TooManyRequests, last);
    }

    [Theory]
    [InlineData("/livez", true)]
    [InlineData(Path, false)]
    [InlineData("/nowhere", true)]
    [InlineData("/api/v1/docs", true)]
    public async Task Answer_Any_HasTheHeadersForBrowsers(string path, bool mayBeAPage)
    {
        await using var gateway = await RestGateway.StartAsync();

        using var answer = await gateway.Observer.GetAsync(path);

        Assert.Equal("nosniff", Header(answer, "X-Content-Type-Options"));
        Assert.Equal(mayBeAPage ? "no-referrer" : null, Header(answer, "Referrer-Policy"));
        var policy = Header(answer, "Content-Security-Policy") ?? "";
        Assert.Equal(mayBeAPage, policy.Contains("frame-ancestors 'none'", StringComparison.Ordinal));
        Assert.Null(Header(answer, "Strict-Transport-Security"));
    }

    [Theory]
    [InlineData("gateway.example", true)]
    [InlineData("127.0.0.1", false)]
    [InlineData("localhost", false)]
    public async Task Answer_OverTls_StrictTransportForNamesAlone(string host, bool isStrict)
    {
        using var files = new PemFiles();
        await using var gateway = await RestGateway.StartAsync(files.Options);
        using var handler = new SocketsHttpHandler();
        handler.SslOptions.RemoteCertificateValidationCallback =
            static (_, certificate, _, _) => certificate is not null;
        using var client = new HttpClient(handler) { BaseAddress = gateway.Host.Client.BaseAddress };
        client.DefaultRequestHeaders.Host = host;

        using var answer = await client.GetAsync("/livez");

        Assert.Equal(isStrict ? "max-age=31536000" : null, Header(answer, "Strict-Transport-Security"));
    }

    private static string? Header(HttpResponseMessage answer, string name) =>
        answer.Headers.TryGetValues(name, out var values) ? string.Join(',', values) : null;

    private static async Task<HttpResponseMessage> SendAsync(
        HttpClient client, HttpMethod method, string origin, bool isPreflight = false)
    {
        using var request = new HttpRequestMessage(method, Path);
        request.Headers.TryAddWithoutValidation("Origin", origin);
        if (isPreflight)
        {
            request.Headers.TryAddWithoutValidation("Access-Control-Request-Method", "PUT");
            request.Headers.TryAddWithoutValidation("Access-Control-Request-Headers", "authorization,content-type");
        }

        return await client.SendAsync(request);
    }
}
