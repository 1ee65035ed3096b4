using System.Text.Json;
using Gateway.Codec.Text;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary><c>GET /health</c>: every health check, of the gateway and of each driver; with <c>?name=</c> of one alone.
/// 503 where one is unhealthy. It decides nothing: <c>/readyz</c> says whether clients should be sent here.
/// Thread-safe.</summary>
internal sealed class HealthEndpoint(HealthCheckService checks, ManagementRequests requests)
{
    private const int MaxDetailLength = 1000;
    private const string RetryAfterSeconds = "10";

    public IEnumerable<RestRoute> Routes =>
        [new("GET", "/health", GetAsync) { Operations = [HealthApi.Get] }];

    private Task GetAsync(HttpContext context) => requests.RunAsync(context, GatewayPermission.ReadState, async _ =>
    {
        var name = context.Request.Query["name"].ToString();
        var report = await checks.CheckHealthAsync(
            check => name.Length == 0 || check.Name == name, context.RequestAborted).ConfigureAwait(false);
        if (name.Length > 0 && report.Entries.Count == 0)
        {
            await Problem.WriteAsync(context, 404, "No health check has that name", StatusCodes.BadNotFound)
                .ConfigureAwait(false);
            return;
        }

        if (report.Status != HealthStatus.Unhealthy)
        {
            await requests.AnswerAsync(context, json => Write(json, report)).ConfigureAwait(false);
            return;
        }

        context.Response.Headers.RetryAfter = RetryAfterSeconds;
        await Problem.WriteAsync(
            context, 503, "Not everything is healthy", StatusCodes.BadNoCommunication,
            string.Join(", ", report.Entries.Where(static one => one.Value.Status == HealthStatus.Unhealthy)
                .Select(static one => one.Key)),
            json => Write(json, report)).ConfigureAwait(false);
    });

    private static void Write(Utf8JsonWriter json, HealthReport report)
    {
        json.WriteString("health", report.Status.ToString().ToLowerInvariant());
        json.WriteStartArray("checks");
        foreach (var (name, entry) in report.Entries)
        {
            json.WriteStartObject();
            json.WriteString("name", name);
            json.WriteString("health", entry.Status.ToString().ToLowerInvariant());
            if (entry.Description is { Length: > 0 } detail)
                json.WriteString("detail", PeerText.EscapeLine(detail, MaxDetailLength));
            if (entry.Data.Count > 0)
            {
                json.WriteStartObject("sources");
                foreach (var (source, state) in entry.Data)
                    json.WriteString(source, state.ToString());
                json.WriteEndObject();
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
