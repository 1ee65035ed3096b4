using Gateway.Sources.Upstream;

namespace Gateway.Host.Http;

/// <summary><c>GET upstreams</c>: each configured upstream, how it stands, why, and what to do.</summary>
internal static class UpstreamEndpoints
{
    public static void MapUpstreams(this IEndpointRouteBuilder routes, UpstreamManager upstreams) =>
        routes.MapGet(
            "/upstreams", context => JsonAnswer.WriteAsync(context, UpstreamJson.Write(upstreams.Report())));
}
