using System.Net;
using Gateway.Host.Configuration;

namespace Gateway.Host.Http;

/// <summary>Tells browsers with each answer: take it for what it says that it is; and over TLS, come back over TLS
/// alone. With all but data, which they show as a text without links: show it in no frame, give its address to nobody.
/// A page that says something of its own keeps it.</summary>
internal sealed class BrowserHeaders : IStartupFilter
{
    private const string NoFrames = "frame-ancestors 'none'";
    private const string OneYear = "max-age=31536000";

    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => application =>
    {
        application.Use(static (context, following) =>
        {
            // Data's headers do not wait for the start of the answer: that would cost a read of one value a fiftieth.
            if (IsData(context.Request.Path))
                AddOfAll(context);
            else
                context.Response.OnStarting(Add, context);
            return following(context);
        });
        next(application);
    };

    /// <summary>Of the two APIs, also where an answer of theirs is a problem.</summary>
    private static bool IsData(PathString path) =>
        path.StartsWithSegments(HttpApi.Root) || path.StartsWithSegments(HttpOptions.ServicesPath);

    private static Task Add(object state)
    {
        var context = (HttpContext)state;
        AddOfAll(context);
        AddOfPages(context.Response.Headers);
        return Task.CompletedTask;
    }

    private static void AddOfAll(HttpContext context)
    {
        // Kestrel knows none of these headers: each is an entry of a dictionary.
        context.Response.Headers.XContentTypeOptions = "nosniff";
        if (context.Request.IsHttps && IsName(context.Request.Host.Host))
            context.Response.Headers.StrictTransportSecurity = OneYear;
    }

    private static void AddOfPages(IHeaderDictionary headers)
    {
        if (headers["Referrer-Policy"].Count == 0)
            headers["Referrer-Policy"] = "no-referrer";
        if (headers.ContentSecurityPolicy.Count == 0)
            headers.ContentSecurityPolicy = NoFrames;
    }

    /// <summary>Addresses have no such memory, and localhost is of all programs of the machine. Source: RFC 6797
    /// §8.1.1.</summary>
    private static bool IsName(string host) =>
        host.Length > 0 && !host.Equals("localhost", StringComparison.OrdinalIgnoreCase) &&
        !IPAddress.TryParse(host.Trim('[', ']'), out _);
}
