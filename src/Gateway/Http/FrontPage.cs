using System.Text;

namespace Gateway.Host.Http;

/// <summary><c>GET /</c>: where the paths are, until there is a console. No script, no style, nothing from elsewhere:
/// the policy forbids them.</summary>
internal static class FrontPage
{
    private const string Policy =
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static readonly byte[] Html = Encoding.UTF8.GetBytes(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>OPC UA Gateway</title></head>
        <body>
        <h1>OPC UA Gateway</h1>
        <p>Programs use the API. Each path asks for a user.</p>
        <ul>
        <li><a href="/api/v1/info">/api/v1/info</a>: version, namespaces, endpoints</li>
        <li><a href="/api/v1/health">/api/v1/health</a>: the gateway and its drivers</li>
        <li><a href="/api/v1/upstreams">/api/v1/upstreams</a>: the controllers behind it</li>
        <li><a href="/api/v1/sessions">/api/v1/sessions</a>, <a href="/api/v1/connections">/connections</a>,
        <a href="/api/v1/subscriptions">/subscriptions</a>: the clients in front of it</li>
        <li><a href="/api/v1/admission">/api/v1/admission</a>: who waits or was refused, and why</li>
        <li><a href="/api/v1/limits">/api/v1/limits</a>, <a href="/api/v1/config">/config</a>,
        <a href="/api/v1/certificates">/certificates</a></li>
        <li><a href="/api/v1/docs/">/api/v1/docs</a>: the APIs to try out;
        <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>, <a href="/opcua/openapi.json">/opcua/openapi.json</a>:
        their descriptions</li>
        <li><a href="/livez">/livez</a>, <a href="/readyz">/readyz</a>, <a href="/metrics">/metrics</a>: for all</li>
        </ul>
        </body>
        </html>
        """);

    public static void MapFrontPage(this IEndpointRouteBuilder routes) =>
        routes.MapGet("/", static context =>
        {
            var response = context.Response;
            response.ContentType = "text/html; charset=utf-8";
            response.ContentLength = Html.Length;
            response.Headers.ContentSecurityPolicy = Policy;
            response.Headers.CacheControl = "no-store";
            return response.Body.WriteAsync(Html, context.RequestAborted).AsTask();
        }).RequireUser();
}
