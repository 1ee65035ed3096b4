using Microsoft.AspNetCore.Diagnostics.HealthChecks;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Gateway.Host.Hosting;

/// <summary><c>/livez</c>: the process answers. <c>/readyz</c>: it takes clients; 503 before and while it
/// ends.</summary>
internal static class HealthEndpoints
{
    public const string Live = "/livez";
    private const string Ready = "/readyz";
    private const string RetrySeconds = "5";
    private const int LongestPath = 7;

    public static bool IsHealth(PathString path) =>
        path.Value is { Length: <= LongestPath } text && (Is(text, Live) || Is(text, Ready));

    public static IServiceCollection AddHealth(this IServiceCollection services)
    {
        services.AddHealthChecks().AddCheck<Readiness>(nameof(Readiness));
        // It would log each probe that finds the gateway not ready as an error.
        return services.AddSingleton<Readiness>().AddLogging(static logging =>
            logging.AddFilter("Microsoft.Extensions.Diagnostics.HealthChecks", LogLevel.None));
    }

    public static void MapHealth(this IEndpointRouteBuilder routes)
    {
        Map(routes, Live, static _ => false, "live", "not live");
        Map(routes, Ready, static check => check.Name == nameof(Readiness), "ready", "not ready");
    }

    private static void Map(
        IEndpointRouteBuilder routes, string path, Func<HealthCheckRegistration, bool> isAsked, string good,
        string bad) =>
        routes.MapHealthChecks(path, new HealthCheckOptions
        {
            Predicate = isAsked,
            // The writer says it itself, in one header.
            AllowCachingResponses = true,
            ResponseWriter = (context, report) =>
                WriteAsync(context, report.Status == HealthStatus.Healthy ? good : bad),
        }).WithMetadata(new HttpMethodMetadata([HttpMethods.Get, HttpMethods.Head]));

    private static bool Is(string path, string other) => path.Equals(other, StringComparison.OrdinalIgnoreCase);

    private static Task WriteAsync(HttpContext context, string text)
    {
        context.Response.ContentType = "text/plain";
        context.Response.Headers.CacheControl = "no-store";
        if (context.Response.StatusCode == StatusCodes.Status503ServiceUnavailable)
            context.Response.Headers.RetryAfter = RetrySeconds;
        return context.Response.WriteAsync(text, context.RequestAborted);
    }
}
