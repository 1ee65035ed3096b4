using System.IO.Compression;
using System.Net;
using System.Net.Http.Headers;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace Gateway.Tests.Rest;

/// <summary>The OpenAPI documents describe every path, nothing else, and are served as their contract says. Their
/// examples are sent by tests/Interop.</summary>
[Collection(RestFixture.Name)]
public sealed class OpenApiTests(RestFixture fixture)
{
    private static readonly string[] Roots = ["/api/v1", "/opcua"];

    private readonly RestGateway _gateway = fixture.Gateway;

    public static TheoryData<string> Documents => [.. Roots.Select(static root => root + "/openapi.json")];

    /// <summary>A new route needs <c>Operations</c> of its RestRoute, or <c>Describe</c> behind its Map call.</summary>
    [Fact]
    public void Routes_OfTheApis_AllDescribed()
    {
        Assert.NotEmpty(Endpoints());
        Assert.All(Endpoints(), static endpoint => Assert.True(
            endpoint.Metadata.GetMetadata<ApiOperation>() is not null || IsExcluded(endpoint),
            $"{endpoint.DisplayName} has no description for the OpenAPI document"));
    }

    /// <summary>OpenAPI 3.1 has no CONNECT: the GET of the same path describes it.</summary>
    [Fact]
    public void Routes_WithoutDescription_OnlyThePageThatShowsTheDocumentAndConnect() => Assert.All(
        Endpoints().Where(endpoint => IsExcluded(endpoint) && Method(endpoint) != HttpMethods.Connect),
        static endpoint => Assert.StartsWith(
            "/api/v1/docs", endpoint.RoutePattern.RawText!, StringComparison.Ordinal));

    [Fact]
    public async Task Paths_OfTheDocuments_AreThoseOfTheRoutes()
    {
        foreach (var root in Roots)
        {
            var (status, document) = await RestGateway.GetAsync(_gateway.Observer, root + "/openapi.json");
            Assert.Equal(200, status);
            var described = document.GetProperty("paths").EnumerateObject()
                .SelectMany(static path => path.Value.EnumerateObject().Select(
                    operation => $"{operation.Name.ToUpperInvariant()} {path.Name}"))
                .Order(StringComparer.Ordinal);
            var mapped = Endpoints()
                .Where(endpoint => !IsExcluded(endpoint) && IsBelow(endpoint, root))
                .SelectMany(endpoint => endpoint.Metadata.GetOrderedMetadata<ApiOperation>().Select(operation =>
                    $"{Method(endpoint)} {operation.Path ?? Plain(endpoint.RoutePattern.RawText![root.Length..])}"))
                .Order(StringComparer.Ordinal);
            Assert.Equal(mapped, described);
        }
    }

    [Theory]
    [MemberData(nameof(Documents))]
    public async Task Document_AskedTwice_304ByItsTag(string path)
    {
        using var first = await _gateway.Observer.GetAsync(path);
        Assert.Equal("application/json", first.Content.Headers.ContentType!.MediaType);
        Assert.Equal("nosniff", first.Headers.GetValues("X-Content-Type-Options").Single());
        using var again = new HttpRequestMessage(HttpMethod.Get, path);
        again.Headers.IfNoneMatch.Add(first.Headers.ETag!);
        using var second = await _gateway.Observer.SendAsync(again);
        Assert.Equal(HttpStatusCode.NotModified, second.StatusCode);
        Assert.Empty(await second.Content.ReadAsByteArrayAsync());
    }

    [Theory]
    [MemberData(nameof(Documents))]
    public async Task Document_GzipAccepted_TheSameCompressed(string path)
    {
        var plain = await _gateway.Observer.GetStringAsync(path);
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.AcceptEncoding.Add(new StringWithQualityHeaderValue("br"));
        request.Headers.AcceptEncoding.Add(new StringWithQualityHeaderValue("gzip", 0.5));
        using var answer = await _gateway.Observer.SendAsync(request);
        Assert.Equal(["gzip"], answer.Content.Headers.ContentEncoding);
        Assert.True(answer.Content.Headers.ContentLength < plain.Length / 4);
        using var unpacked = new StreamReader(new GZipStream(
            await answer.Content.ReadAsStreamAsync(), CompressionMode.Decompress));
        Assert.Equal(plain, await unpacked.ReadToEndAsync());
    }

    [Fact]
    public async Task Document_GzipRefused_Plain()
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/api/v1/openapi.json");
        request.Headers.AcceptEncoding.Add(new StringWithQualityHeaderValue("gzip", 0));
        using var answer = await _gateway.Observer.SendAsync(request);
        Assert.Empty(answer.Content.Headers.ContentEncoding);
    }

    /// <summary>It names limits and tells a stranger what there is to attack.</summary>
    [Theory]
    [MemberData(nameof(Documents))]
    public async Task Document_WithAWrongLogin_401(string path)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Authorization = new AuthenticationHeaderValue("Basic", "b3BlcmF0b3I6d3Jvbmc=");
        using var answer = await _gateway.Host.Client.SendAsync(request);
        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
    }

    [Fact]
    public async Task Numbers_OfTheDocument_AreTheConfiguredLimits()
    {
        await using var gateway = await RestGateway.StartAsync(
            "--Limits:MaxHttpNodes=123", "--Limits:MaxNodesPerRead=77");
        var (_, resource) = await RestGateway.GetAsync(gateway.Observer, "/api/v1/openapi.json");
        var get = resource.GetProperty("paths").GetProperty("/values").GetProperty("get");
        Assert.Equal(123, get.GetProperty("parameters")[0].GetProperty("schema").GetProperty("maxItems").GetInt32());
        var (_, services) = await RestGateway.GetAsync(gateway.Observer, "/opcua/openapi.json");
        var read = services.GetProperty("components").GetProperty("schemas").GetProperty("ReadRequest");
        var list = read.GetProperty("properties").GetProperty("NodesToRead");
        Assert.Equal(77, list.GetProperty("maxItems").GetInt32());
    }

    [Fact]
    public async Task Security_OfTheDocuments_TheOnesThatTheHostTakes()
    {
        var (_, document) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/openapi.json");
        var schemes = document.GetProperty("components").GetProperty("securitySchemes");
        Assert.Equal("basic", schemes.GetProperty("basic").GetProperty("scheme").GetString());
        Assert.Equal(
            schemes.EnumerateObject().Select(static one => one.Name),
            document.GetProperty("security").EnumerateArray().Select(
                static one => one.EnumerateObject().Single().Name));
    }

    private static bool IsExcluded(Endpoint endpoint) =>
        endpoint.Metadata.GetMetadata<IExcludeFromDescriptionMetadata>() is { ExcludeFromDescription: true };

    private static bool IsBelow(RouteEndpoint endpoint, string root) =>
        endpoint.RoutePattern.RawText is { } path &&
        (path == root || path.StartsWith(root + "/", StringComparison.Ordinal));

    private static string Method(Endpoint endpoint) =>
        endpoint.Metadata.GetMetadata<HttpMethodMetadata>()!.HttpMethods
            .Single(static method => method != HttpMethods.Head);

    private static string Plain(string pattern) => pattern.Replace("{**", "{", StringComparison.Ordinal);

    private List<RouteEndpoint> Endpoints() =>
    [
        .. _gateway.Host.Get<EndpointDataSource>().Endpoints.OfType<RouteEndpoint>().Where(
            static endpoint => Roots.Any(root => IsBelow(endpoint, root))),
    ];
}
