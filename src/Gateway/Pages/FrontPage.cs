using System.Text;

namespace Gateway.Host.Pages;

/// <summary>The page at <c>/</c> where the program was built without the console: it says so, and where the paths are.
/// No script, no style, nothing from elsewhere.</summary>
internal static class FrontPage
{
    public static WebFile File { get; } = new("index.html", Encoding.UTF8.GetBytes(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>OPC UA Gateway</title></head>
        <body>
        <h1>OPC UA Gateway</h1>
        <p>The console is not part of this program, because npm or its packages were not there when it was built. The
        gateway does everything else. To have the console, install Node.js 20.19 or later with npm and build again.</p>
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
        """));
}
