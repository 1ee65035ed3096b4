using System.Diagnostics;
using Gateway.Codec.Text;
using Gateway.Host.Http;
using Gateway.Transport.Tracing;
using Microsoft.Net.Http.Headers;

namespace Gateway.Host.Telemetry;

/// <summary>The span of an HTTP request, from its headers to its answer; of a stream of events, to its opening. The
/// header <c>traceparent</c> makes it a part of the caller's trace (W3C Trace Context). The health paths and
/// <c>/metrics</c> are asked all the time and are not traced. Nor is the request that begins a WebSocket: it would make
/// all that the socket carries, for days, parts of one trace; services over it are requests of their own.</summary>
internal sealed class HttpTracing(RequestTracing tracing) : IStartupFilter
{
    private const int MaxPathLength = 200;
    private const string EventStream = "text/event-stream";

    /// <summary>Of <c>tracestate</c>: every system must be able to carry so much of it, and none has to carry more
    /// (W3C Trace Context).</summary>
    private const int MaxStateLength = 512;

    private static readonly string[] Untraced = ["/livez", "/readyz", "/metrics"];

    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => application =>
    {
        application.Use(RunAsync);
        next(application);
    };

    private Task RunAsync(HttpContext context, RequestDelegate next)
    {
        if (!tracing.IsOn || IsUpgrade(context.Request) ||
            Untraced.Any(path => context.Request.Path.StartsWithSegments(path)))
            return next(context);
        return TraceAsync(context, next);
    }

    private static bool IsUpgrade(HttpRequest request) =>
        request.Headers.Upgrade.Count > 0 || HttpMethods.IsConnect(request.Method);

    private async Task TraceAsync(HttpContext context, RequestDelegate next)
    {
        var method = KnownMethod.Of(context.Request);
        using var span = tracing.Start(method, ActivityKind.Server, AskedBy(context.Request));
        if (span is null)
        {
            await next(context).ConfigureAwait(false);
            return;
        }

        span.SetTag(SpanTags.HttpMethod, method)
            .SetTag(SpanTags.UrlPath, PeerText.Escape(context.Request.Path.Value, MaxPathLength))
            .SetTag(SpanTags.UrlScheme, context.Request.Scheme)
            .SetTag(SpanTags.ClientAddress, context.Connection.RemoteIpAddress?.ToString());
        context.Response.OnStarting(EndOfOpening, (span, context));
        try
        {
            await next(context).ConfigureAwait(false);
            Describe(span, context, context.Response.StatusCode);
        }
        catch
        {
            Describe(span, context, StatusCodes.Status500InternalServerError);
            throw;
        }
    }

    /// <summary>The headers of a stream leave: it is open. Its events, for days, are no part of the span.</summary>
    private static Task EndOfOpening(object state)
    {
        var (span, context) = ((Activity, HttpContext))state;
        if (context.Response.ContentType?.StartsWith(EventStream, StringComparison.OrdinalIgnoreCase) != true)
            return Task.CompletedTask;
        Describe(span, context, context.Response.StatusCode);
        span.Stop();
        return Task.CompletedTask;
    }

    /// <summary>Nothing is added to a span that is on its way to the collector.</summary>
    private static void Describe(Activity span, HttpContext context, int status)
    {
        if (span.IsStopped)
            return;
        // Routes are few, paths are not.
        if ((context.GetEndpoint() as RouteEndpoint)?.RoutePattern.RawText is { } route)
        {
            span.DisplayName = $"{span.OperationName} {route}";
            span.SetTag(SpanTags.HttpRoute, route);
        }

        span.SetTag(SpanTags.HttpStatus, status);
        if (status >= StatusCodes.Status500InternalServerError)
            span.SetStatus(ActivityStatusCode.Error);
    }

    private static ActivityContext AskedBy(HttpRequest request)
    {
        if (request.Headers[HeaderNames.TraceParent] is not [{ } text])
            return default;
        var state = request.Headers[HeaderNames.TraceState].ToString();
        return ActivityContext.TryParse(
            text, state.Length <= MaxStateLength ? state : null, isRemote: true, out var asked) ? asked : default;
    }
}
