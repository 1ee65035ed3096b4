using Gateway.Admission;
using Gateway.Admission.Door;
using Gateway.Admission.Stages;
using Gateway.Host.Hosting;
using Gateway.Rest.Answers;
using Gateway.Transport.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Host.Http;

/// <summary>The first that a request meets, before routes and users: its connection is busy until it is answered, and
/// its address may be asking too often. The health paths are never refused: an orchestrator that gets no answer there
/// ends the process.</summary>
internal sealed class HttpAdmission(HttpLimits limits, AdmissionControl admission) : IStartupFilter
{
    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => application =>
    {
        application.Use(RunAsync);
        next(application);
    };

    private Task RunAsync(HttpContext context, RequestDelegate next)
    {
        // Null behind a server that is not ours: a test's.
        if (context.Features.Get<HttpPlace>() is not { } place)
            return next(context);
        var decision = admission.Http.Begin(place, isRated: !HealthEndpoints.IsHealth(context.Request.Path));
        var isOver = true;
        try
        {
            var answer = AnswerAsync(context, next, decision);
            isOver = answer.IsCompleted;
            return isOver ? answer : WaitAsync(answer, place);
        }
        finally
        {
            if (isOver)
                admission.Http.End(place);
        }
    }

    private async Task WaitAsync(Task answer, HttpPlace place)
    {
        try
        {
            await answer.ConfigureAwait(false);
        }
        finally
        {
            admission.Http.End(place);
        }
    }

    private Task AnswerAsync(HttpContext context, RequestDelegate next, in Decision decision)
    {
        if (!decision.IsAdmitted)
            return Problem.WriteAsync(context, decision, "Too many requests");
        return context.Request.ContentLength > limits.MaxHttpBodyBytes ? RefuseBodyAsync(context) : next(context);
    }

    /// <summary>It says so itself: not a byte of it is read. Kestrel counts it when it finds the body unread.</summary>
    private static Task RefuseBodyAsync(HttpContext context)
    {
        context.Response.Headers.Connection = "close";
        return Problem.WriteAsync(context, StatusCodes.BadRequestTooLarge);
    }
}
