using System.Net.Mime;

namespace Gateway.Host.Http;

/// <summary>Measures each HTTP request from its headers to the end of its answer, by route. Streams and WebSockets are
/// left out: they last as long as their client likes. Thread-safe.</summary>
internal sealed class HttpTiming(HttpCounters counters, TimeProvider time) : IStartupFilter
{
    /// <summary>Files of the console, refused requests and unknown paths.</summary>
    public const string OtherRoute = "other";

    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => application =>
    {
        application.Use(RunAsync);
        next(application);
    };

    private Task RunAsync(HttpContext context, RequestDelegate next)
    {
        var since = time.GetTimestamp();
        var answer = next(context);
        if (!answer.IsCompletedSuccessfully)
            return WaitAsync(context, answer, since);
        Take(context, since);
        return answer;
    }

    private async Task WaitAsync(HttpContext context, Task answer, long since)
    {
        try
        {
            await answer.ConfigureAwait(false);
        }
        finally
        {
            Take(context, since);
        }
    }

    private void Take(HttpContext context, long since)
    {
        if (context.Response.StatusCode == StatusCodes.Status101SwitchingProtocols ||
            HttpMethods.IsConnect(context.Request.Method) ||
            context.Response.ContentType?.StartsWith(MediaTypeNames.Text.EventStream, StringComparison.Ordinal) == true)
            return;
        // Routes are few, paths are not.
        var route = (context.GetEndpoint() as RouteEndpoint)?.RoutePattern.RawText ?? OtherRoute;
        counters.Took(route, KnownMethod.Of(context.Request), time.GetElapsedTime(since));
    }
}
