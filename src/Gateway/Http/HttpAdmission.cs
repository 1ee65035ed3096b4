using System.Globalization;
using System.Net.Mime;
using Gateway.Admission;
using Gateway.Admission.Door;
using Gateway.Admission.Stages;
using Gateway.Host.Hosting;
using Gateway.Rest.Answers;
using Gateway.Transport.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Host.Http;

/// <summary>
/// The first that a request meets, before routes and users: its connection is busy until it is answered, its address
/// may be asking too often, and its time is taken from its headers to the end of its answer. The health paths are never
/// refused: an orchestrator that gets no answer there ends the process. One wrapper does all of it, with two readings
/// of the clock. Thread-safe.
/// </summary>
internal sealed class HttpAdmission(
    HttpLimits limits, AdmissionControl admission, HttpCounters counters, TimeProvider time) : IStartupFilter
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
        // Null behind a server that is not ours: a test's.
        var place = context.Features.Get<HttpPlace>();
        var decision = place is null
            ? Decision.Admit
            : admission.Http.Begin(place, isRated: !HealthEndpoints.IsHealth(context.Request.Path));
        var isOver = true;
        try
        {
            var answer = AnswerAsync(context, next, decision);
            isOver = answer.IsCompleted;
            return isOver ? answer : WaitAsync(context, answer, place, since);
        }
        finally
        {
            if (isOver)
                End(context, place, since);
        }
    }

    private async Task WaitAsync(HttpContext context, Task answer, HttpPlace? place, long since)
    {
        try
        {
            await answer.ConfigureAwait(false);
        }
        finally
        {
            End(context, place, since);
        }
    }

    private void End(HttpContext context, HttpPlace? place, long since)
    {
        var now = place is null ? time.GetTimestamp() : admission.Http.End(place);
        // Streams and WebSockets last as long as their client likes.
        if (context.Response.StatusCode == Microsoft.AspNetCore.Http.StatusCodes.Status101SwitchingProtocols ||
            HttpMethods.IsConnect(context.Request.Method) ||
            context.Response.ContentType?.StartsWith(MediaTypeNames.Text.EventStream, StringComparison.Ordinal) == true)
            return;
        // Routes are few, paths are not.
        var route = (context.GetEndpoint() as RouteEndpoint)?.RoutePattern.RawText ?? OtherRoute;
        counters.Took(route, KnownMethod.Of(context.Request), time.GetElapsedTime(since, now));
    }

    private Task AnswerAsync(HttpContext context, RequestDelegate next, in Decision decision)
    {
        if (!decision.IsAdmitted)
            return Problem.WriteAsync(context, decision, "Too many requests");
        return context.Request.ContentLength > limits.MaxHttpBodyBytes ? RefuseBodyAsync(context) : next(context);
    }

    /// <summary>It says so itself: not a byte of it is read. Kestrel counts it when it finds the body unread.</summary>
    private Task RefuseBodyAsync(HttpContext context)
    {
        context.Response.Headers.Connection = "close";
        return Problem.WriteAsync(context, StatusCodes.BadRequestTooLarge, string.Create(
            CultureInfo.InvariantCulture, $"expected at most {limits.MaxHttpBodyBytes} bytes (MaxHttpBodyBytes)"));
    }
}
