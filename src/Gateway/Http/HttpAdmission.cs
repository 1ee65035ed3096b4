using Gateway.Admission;
using Gateway.Admission.Door;
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

    private async Task RunAsync(HttpContext context, RequestDelegate next)
    {
        // Null behind a server that is not ours: a test's.
        if (context.Features.Get<HttpPlace>() is not { } place)
        {
            await next(context).ConfigureAwait(false);
            return;
        }

        var door = admission.Http;
        var decision = door.Begin(place, isRated: !HealthEndpoints.IsHealth(context.Request.Path));
        try
        {
            if (!decision.IsAdmitted)
                await Problem.WriteAsync(context, decision, "Too many requests").ConfigureAwait(false);
            else if (context.Request.ContentLength > limits.MaxHttpBodyBytes)
                await RefuseBodyAsync(context).ConfigureAwait(false);
            else
                await next(context).ConfigureAwait(false);
        }
        finally
        {
            door.End(place);
        }
    }

    /// <summary>It says so itself: not a byte of it is read. Kestrel counts it when it finds the body unread.</summary>
    private static Task RefuseBodyAsync(HttpContext context)
    {
        context.Response.Headers.Connection = "close";
        return Problem.WriteAsync(context, StatusCodes.BadRequestTooLarge);
    }
}
