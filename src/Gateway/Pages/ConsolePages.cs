using Gateway.Rest.Answers;
using Microsoft.Net.Http.Headers;

namespace Gateway.Host.Pages;

/// <summary>
/// The console's files, for everybody: they say nothing about the gateway, and what they show they ask of the API as
/// any program does. A path that is no file and that a browser opens as a page is the console's own. The policy allows
/// the gateway's files alone: no script or style in the page, no text that becomes a script.
/// </summary>
internal static class ConsolePages
{
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types 'none'";

    private const string ForEver = "public, max-age=31536000, immutable";
    private const string AskAgain = "no-cache";

    private static readonly string[] Methods = [HttpMethods.Get, HttpMethods.Head];

    /// <summary>Where programs ask: an unknown path there is an error, and no page.</summary>
    private static readonly string[] ForPrograms =
        ["/api", "/opcua", "/opcua-openapi", "/metrics", "/livez", "/readyz"];

    /// <param name="application">Its routes go first.</param>
    /// <param name="folder">With the files, or without them: then there is no console.</param>
    public static void UseConsole(this WebApplication application, string folder)
    {
        // Read when somebody first asks: it would cost each start.
        var files = new Lazy<WebFiles>(() => WebFiles.Read(folder), LazyThreadSafetyMode.PublicationOnly);
        application.MapMethods("/", Methods, context => SendAsync(context, files.Value.Page));
        // No endpoint of the routes: one that takes all paths would also take those that answer 405.
        application.Use((context, next) => FileFor(context, files) is { } file
            ? SendAsync(context, file)
            : next(context));
    }

    private static WebFile? FileFor(HttpContext context, Lazy<WebFiles> files)
    {
        var request = context.Request;
        if (context.GetEndpoint() is not null || !Methods.Contains(request.Method) || IsForPrograms(request.Path))
            return null;
        return files.Value.Find(request.Path.Value![1..]) ??
            (files.Value.HasConsole && IsPage(request) ? files.Value.Page : null);
    }

    private static bool IsForPrograms(PathString path) =>
        !path.HasValue || ForPrograms.Any(start => path.StartsWithSegments(start));

    private static bool IsPage(HttpRequest request) =>
        !request.Path.StartsWithSegments("/assets") &&
        MediaTypeHeaderValue.TryParseList(request.Headers.Accept, out var types) &&
        types.Any(static type => type.MediaType.Equals("text/html", StringComparison.OrdinalIgnoreCase));

    private static Task SendAsync(HttpContext context, WebFile file)
    {
        var response = context.Response;
        var headers = response.Headers;
        var (encoding, bytes, tag) = file.FormFor(context.Request);
        headers.ETag = tag;
        headers.CacheControl = file.IsHashed ? ForEver : AskAgain;
        headers.Vary = HeaderNames.AcceptEncoding;
        headers.ContentSecurityPolicy = Policy;
        headers.XContentTypeOptions = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        if (EntityTag.IsKnown(context.Request, tag))
        {
            response.StatusCode = StatusCodes.Status304NotModified;
            return Task.CompletedTask;
        }

        if (encoding is not null)
            headers.ContentEncoding = encoding;
        response.ContentType = file.ContentType;
        response.ContentLength = bytes.Length;
        return HttpMethods.IsHead(context.Request.Method)
            ? Task.CompletedTask
            : response.Body.WriteAsync(bytes, context.RequestAborted).AsTask();
    }
}
