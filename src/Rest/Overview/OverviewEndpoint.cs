using System.Globalization;
using System.Text.Json;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Management;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Overview;

/// <summary><c>GET /overview</c>: counters and rates of the last minutes; with <c>?since=</c> what is new. Thread-safe.
/// </summary>
internal sealed class OverviewEndpoint(IOverviewHistory history, ManagementRequests requests)
{
    private const string Expected = "since: expected the member sequence of an earlier answer";

    /// <summary>A tenth of a percent is more than a plot shows.</summary>
    private const int Digits = 2;

    public IEnumerable<RestRoute> Routes => [new("GET", "/overview", GetAsync) { Operations = [OverviewApi.Get] }];

    private Task GetAsync(HttpContext context) => requests.RunAsync(context, GatewayPermission.ReadState, _ =>
    {
        var text = context.Request.Query["since"].ToString();
        var after = 0L;
        if (text.Length > 0 &&
            !long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out after))
            return Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, Expected);
        return requests.AnswerAsync(context, json => Write(json, history.Read(after), after));
    });

    private void Write(Utf8JsonWriter json, IReadOnlyList<OverviewSample> samples, long after)
    {
        json.WriteNumber("sequence", samples.Count > 0 ? samples[^1].Sequence : after);
        json.WriteNumber("intervalMs", (long)history.Interval.TotalMilliseconds);
        json.WriteStartArray("samples");
        foreach (var sample in samples)
            Write(json, sample);
        json.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter json, OverviewSample sample)
    {
        json.WriteStartObject();
        json.WriteNumber("sequence", sample.Sequence);
        json.WriteString("at", sample.At);
        json.WriteNumber("sessions", sample.Sessions);
        json.WriteNumber("connections", sample.Connections);
        json.WriteNumber("httpConnections", sample.HttpConnections);
        json.WriteNumber("subscriptions", sample.Subscriptions);
        json.WriteNumber("monitoredItems", sample.MonitoredItems);
        WriteReal(json, "notificationsPerSecond", sample.NotificationsPerSecond);
        WriteReal(json, "messagesPerSecond", sample.MessagesPerSecond);
        WriteReal(json, "requestsPerSecond", sample.RequestsPerSecond);
        WriteReal(json, "rejectionsPerSecond", sample.RejectionsPerSecond);
        WriteReal(json, "latenessMs", sample.LatenessMs);
        WriteReal(json, "cpuPercent", sample.CpuPercent);
        json.WriteNumber("memoryBytes", sample.MemoryBytes);
        json.WriteEndObject();
    }

    private static void WriteReal(Utf8JsonWriter json, string name, double value) =>
        json.WriteNumber(name, Math.Round(value, Digits));
}
