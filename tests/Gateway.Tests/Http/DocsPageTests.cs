using System.Net;
using System.Text.RegularExpressions;

namespace Gateway.Tests.Http;

/// <summary>The page that shows the OpenAPI documents: for users, and from this gateway alone.</summary>
public sealed partial class DocsPageTests
{
    private const string Page = "/api/v1/docs/index.html";

    [Fact]
    public async Task Page_Asked_LoadsNothingFromElsewhere()
    {
        await using var gateway = await RunningGateway.StartAsync();
        using var answer = await gateway.Client.GetAsync(Page);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        var policy = answer.Headers.GetValues("Content-Security-Policy").Single();
        Assert.StartsWith("default-src 'none'; script-src 'self';", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
        Assert.Equal("nosniff", answer.Headers.GetValues("X-Content-Type-Options").Single());
        var html = await answer.Content.ReadAsStringAsync();
        var files = File().Matches(html).Select(static match => match.Groups[1].Value).ToList();
        Assert.Contains(files, static file => file.EndsWith(".js", StringComparison.Ordinal));
        foreach (var file in files)
        {
            Assert.DoesNotContain("//", file, StringComparison.Ordinal);
            using var part = await gateway.Client.GetAsync("/api/v1/docs/" + file);
            Assert.Equal(HttpStatusCode.OK, part.StatusCode);
            Assert.True((await part.Content.ReadAsByteArrayAsync()).Length > 0);
        }
    }

    [Fact]
    public async Task Page_OfBothDocuments_NamesThem()
    {
        await using var gateway = await RunningGateway.StartAsync();
        var script = await gateway.Client.GetStringAsync("/api/v1/docs/index.js");
        Assert.Contains("/api/v1/openapi.json", script, StringComparison.Ordinal);
        Assert.Contains("/opcua/openapi.json", script, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Folder_Asked_LeadsToThePage()
    {
        await using var gateway = await RunningGateway.StartAsync();
        using var answer = await gateway.Client.GetAsync("/api/v1/docs");
        Assert.Equal(Page, answer.RequestMessage!.RequestUri!.AbsolutePath);
    }

    [Fact]
    public async Task File_Unknown_404AsAProblem()
    {
        await using var gateway = await RunningGateway.StartAsync();
        using var answer = await gateway.Client.GetAsync("/api/v1/docs/../../etc/passwd");
        Assert.Equal(HttpStatusCode.NotFound, answer.StatusCode);
        using var other = await gateway.Client.GetAsync("/api/v1/docs/nowhere.js");
        Assert.Equal(HttpStatusCode.NotFound, other.StatusCode);
        Assert.Equal("application/problem+json", other.Content.Headers.ContentType!.MediaType);
    }

    [Fact]
    public async Task Page_WithAWrongLogin_401()
    {
        await using var gateway = await RunningGateway.StartAsync();
        using var request = new HttpRequestMessage(HttpMethod.Get, Page);
        request.Headers.Authorization = new("Basic", "b3BlcmF0b3I6d3Jvbmc=");
        using var answer = await gateway.Client.SendAsync(request);
        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
    }

    [GeneratedRegex("(?:src|href)=\"([^\"]*)\"")]
    private static partial Regex File();
}
