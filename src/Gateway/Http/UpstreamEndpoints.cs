using Gateway.Rest.Answers;
using Gateway.Rest.Routing;
using Gateway.Sources;
using Gateway.Sources.Upstreams;
using Microsoft.AspNetCore.Mvc;
using UaStatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Host.Http;

/// <summary><c>GET upstreams</c>: each configured upstream with its state, the cause, and the remedy. <c>GET
/// upstreams/health</c>: 200 while the gateway serves all of them, otherwise 503 with the names of the others. With
/// <c>?name=</c> for that one alone, 404 if it does not exist.</summary>
internal static class UpstreamEndpoints
{
    /// <summary>As long as the pause between attempts at most is.</summary>
    private const string RetryAfterSeconds = "10";

    public static void MapUpstreams(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/upstreams", static (HttpContext context, [FromServices] SourceDrivers drivers) =>
            JsonAnswer.WriteAsync(context, UpstreamJson.Write(Reports(drivers))))
            .Describe(UpstreamApi.List);
        routes.MapGet("/upstreams/health", static (HttpContext context, [FromServices] SourceDrivers drivers) =>
            AnswerAsync(context, Reports(drivers)))
            .Describe(UpstreamApi.Health);
    }

    private static UpstreamReport[] Reports(SourceDrivers drivers) => [.. drivers.Upstreams()];

    internal static Task AnswerAsync(HttpContext context, IReadOnlyList<UpstreamReport> all)
    {
        var name = context.Request.Query["name"].ToString();
        var asked = name.Length == 0 ? all : [.. all.Where(one => one.Name == name)];
        if (name.Length > 0 && asked.Count == 0)
            return Problem.WriteAsync(
                context, StatusCodes.Status404NotFound, "No upstream has that name",
                UaStatusCodes.BadNotFound);
        var missing = asked.Where(one => one.State is not (SourceState.Online or SourceState.Limited)).ToList();
        if (missing.Count == 0)
            return JsonAnswer.WriteAsync(context, UpstreamJson.Write(asked));
        context.Response.Headers.RetryAfter = RetryAfterSeconds;
        return Problem.WriteAsync(
            context, StatusCodes.Status503ServiceUnavailable,
            $"{missing.Count} of {asked.Count} upstreams are not served: "
                + string.Join(", ", missing.Select(one => one.Name)),
            UaStatusCodes.BadNoCommunication);
    }
}
