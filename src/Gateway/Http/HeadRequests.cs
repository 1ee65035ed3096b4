namespace Gateway.Host.Http;

/// <summary>Paths that take GET take HEAD, too: monitors and load balancers ask so. The server leaves the body out.
/// Source: RFC 9110 §9.1, §9.3.2.</summary>
internal static class HeadRequests
{
    /// <summary>Their answers have no end.</summary>
    private static readonly string[] Endless = ["/stream", "/ws"];

    public static TBuilder TakeHead<TBuilder>(this TBuilder endpoints)
        where TBuilder : IEndpointConventionBuilder
    {
        endpoints.Add(static endpoint =>
        {
            var path = (endpoint as RouteEndpointBuilder)?.RoutePattern.RawText ?? "";
            if (Endless.Any(end => path.EndsWith(end, StringComparison.Ordinal)))
                return;
            for (var i = 0; i < endpoint.Metadata.Count; i++)
            {
                if (endpoint.Metadata[i] is HttpMethodMetadata { HttpMethods: ["GET"] })
                    endpoint.Metadata[i] = new HttpMethodMetadata([HttpMethods.Get, HttpMethods.Head]);
            }
        });
        return endpoints;
    }
}
