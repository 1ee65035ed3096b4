using System.Net;
using Gateway.Host.Pages;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;

namespace Gateway.Tests.Pages;

/// <summary>The console's files over HTTP: which path is a page, in which form it leaves, what a browser may do.
/// </summary>
public sealed class ConsolePagesTests : IAsyncLifetime
{
    private readonly ConsoleFolder _folder = ConsoleFolder.Make();
    private WebApplication? _application;
    private HttpClient? _client;

    private HttpClient Client => _client!;

    public async Task InitializeAsync()
    {
        (_application, _client) = await StartAsync(_folder.Path);
    }

    public async Task DisposeAsync()
    {
        _client?.Dispose();
        if (_application is not null)
            await _application.DisposeAsync();
        _folder.Dispose();
    }

    [Theory]
    [InlineData("/")]
    [InlineData("/clients")]
    [InlineData("/some/where")]
    public async Task Page_OpenedByABrowser_TheConsole(string path)
    {
        using var answer = await GetAsync(path, "text/html,application/xhtml+xml,*/*;q=0.8");

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Equal("text/html", answer.Content.Headers.ContentType!.MediaType);
        Assert.Equal(ConsoleFolder.Html, await answer.Content.ReadAsStringAsync());
        Assert.Equal("no-cache", answer.Headers.CacheControl!.ToString());
    }

    [Theory]
    [InlineData("/clients", "*/*")]
    [InlineData("/api/v1/nothing", "text/html")]
    [InlineData("/opcua/nothing", "text/html")]
    [InlineData("/metrics/nothing", "text/html")]
    [InlineData("/assets/index-0.js", "text/html")]
    [InlineData("/assets/../files.txt", "*/*")]
    [InlineData("/files.txt", "*/*")]
    public async Task Path_OfAProgramOrOfNothing_404(string path, string accept)
    {
        using var answer = await GetAsync(path, accept);

        Assert.Equal(HttpStatusCode.NotFound, answer.StatusCode);
    }

    [Fact]
    public async Task Page_Posted_IsNone()
    {
        using var root = await Client.PostAsync(new Uri("/", UriKind.Relative), null);
        using var page = await Client.PostAsync(new Uri("/clients", UriKind.Relative), null);

        Assert.Equal(HttpStatusCode.MethodNotAllowed, root.StatusCode);
        Assert.Equal(HttpStatusCode.NotFound, page.StatusCode);
    }

    [Fact]
    public async Task Page_Asked_ForbidsScriptsOfOthersAndFrames()
    {
        using var answer = await GetAsync("/", "text/html");

        var policy = Assert.Single(answer.Headers.GetValues("Content-Security-Policy"));
        Assert.StartsWith("default-src 'none'; script-src 'self'; style-src 'self';", policy, StringComparison.Ordinal);
        Assert.Contains("frame-ancestors 'none'", policy, StringComparison.Ordinal);
        Assert.Contains("require-trusted-types-for 'script'", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
        Assert.Equal("nosniff", Assert.Single(answer.Headers.GetValues("X-Content-Type-Options")));
        Assert.Equal("no-referrer", Assert.Single(answer.Headers.GetValues("Referrer-Policy")));
        Assert.Equal("same-origin", Assert.Single(answer.Headers.GetValues("Cross-Origin-Opener-Policy")));
    }

    [Theory]
    [InlineData("br, gzip", "br", "by brotli")]
    [InlineData("gzip", "gzip", "by gzip")]
    [InlineData("br;q=0, gzip", "gzip", "by gzip")]
    [InlineData("*", "br", "by brotli")]
    [InlineData("identity", null, ConsoleFolder.Script)]
    [InlineData("zstd;q=a", null, ConsoleFolder.Script)]
    public async Task Script_InTheFormThatTheBrowserTakes_KeptForEver(string accepted, string? encoding, string content)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/assets/index-1.js");
        request.Headers.TryAddWithoutValidation("Accept-Encoding", accepted);
        using var answer = await Client.SendAsync(request);

        Assert.Equal(encoding is null ? [] : [encoding], answer.Content.Headers.ContentEncoding);
        Assert.Equal(content, await answer.Content.ReadAsStringAsync());
        Assert.Equal("text/javascript", answer.Content.Headers.ContentType!.MediaType);
        Assert.Equal("public, max-age=31536000, immutable", answer.Headers.CacheControl!.ToString());
        Assert.Equal(["Accept-Encoding"], answer.Headers.Vary);
    }

    [Fact]
    public async Task File_AskedAgainWithItsTag_304()
    {
        using var first = await GetAsync("/", "text/html");
        using var again = new HttpRequestMessage(HttpMethod.Get, "/");
        again.Headers.IfNoneMatch.Add(first.Headers.ETag!);
        using var second = await Client.SendAsync(again);

        Assert.Equal(HttpStatusCode.NotModified, second.StatusCode);
        Assert.Empty(await second.Content.ReadAsByteArrayAsync());
    }

    [Fact]
    public async Task Head_OfAFile_ItsLengthAlone()
    {
        using var request = new HttpRequestMessage(HttpMethod.Head, "/favicon.svg");
        using var answer = await Client.SendAsync(request);

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Equal("image/svg+xml", answer.Content.Headers.ContentType!.MediaType);
        Assert.Equal("<svg/>".Length, answer.Content.Headers.ContentLength);
    }

    [Fact]
    public async Task Root_BuiltWithoutTheConsole_SaysSoAndWhereThePathsAre()
    {
        var (application, client) = await StartAsync(Path.Combine(_folder.Path, "nowhere"));
        await using (application)
        using (client)
        {
            var page = await client.GetStringAsync(new Uri("/", UriKind.Relative));
            using var other = await client.GetAsync(new Uri("/clients", UriKind.Relative));

            Assert.Contains("The console is not part of this program", page, StringComparison.Ordinal);
            Assert.Contains("/api/v1/openapi.json", page, StringComparison.Ordinal);
            Assert.Contains("/readyz", page, StringComparison.Ordinal);
            Assert.Equal(HttpStatusCode.NotFound, other.StatusCode);
        }
    }

    private static async Task<(WebApplication Application, HttpClient Client)> StartAsync(string folder)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var application = builder.Build();
        application.MapGet("/api/v1/info", static () => Results.Ok());
        application.UseConsole(folder);
        await application.StartAsync();
        return (application, new HttpClient { BaseAddress = new Uri(application.Urls.Single()) });
    }

    private async Task<HttpResponseMessage> GetAsync(string path, string accept)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Accept.Clear();
        request.Headers.TryAddWithoutValidation("Accept", accept);
        return await Client.SendAsync(request);
    }
}
