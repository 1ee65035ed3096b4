
namespace Gateway.Host.Hosting;

/// <summary><c>/livez</c>: the process answers. <c>/readyz</c>: it takes clients; 503 before and while it
/// ends.</summary>
internal static class HealthEndpoints
{
    private const string Live = "/livez";
    private const string Ready = "/readyz";

    public static bool IsHealth(PathString path) => path == Live || path == Ready;

    public static void MapHealth(this IEndpointRouteBuilder routes, Readiness readiness)
    {
        routes.MapGet(Live, static context => Answer(context, StatusCodes.Status200OK, "live"));
        routes.MapGet(Ready, context => readiness.IsReady
            ? Answer(context, StatusCodes.Status200OK, "ready")
            : Answer(context, StatusCodes.Status503ServiceUnavailable, "not ready"));
    }

    private static Task Answer(HttpContext context, int status, string text)
    {
        context.Response.StatusCode = status;
        context.Response.ContentType = "text/plain";
        context.Response.Headers.CacheControl = "no-store";
        return context.Response.WriteAsync(text, context.RequestAborted);
    }
}
