using Microsoft.AspNetCore.Mvc;

namespace Gateway.Host.Http;

/// <summary><c>/metrics</c>: open like the health paths, because it names no node, session, user or address.</summary>
internal static class MetricsEndpoint
{
    public static void MapMetrics(this IEndpointRouteBuilder routes) => routes.MapGet(
        "/metrics",
        static (HttpContext context, [FromServices] MetricsScraper scraper) => AnswerAsync(context, scraper))
        .TakeHead();

    private static async Task AnswerAsync(HttpContext context, MetricsScraper scraper)
    {
        var (request, response) = (context.Request, context.Response);
        var format = ExpositionNegotiation.Choose(request.Headers.Accept);
        var text = await scraper.ScrapeAsync(format, context.RequestAborted).ConfigureAwait(false);
        response.Headers.CacheControl = "no-store";
        response.Headers.Vary = "Accept";
        if (text is not { } body)
        {
            response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            response.Headers.RetryAfter = "1";
            return;
        }
        response.ContentType = ExpositionNegotiation.ContentType(format);
        response.ContentLength = body.Length;
        await response.Body.WriteAsync(body, context.RequestAborted).ConfigureAwait(false);
    }
}
