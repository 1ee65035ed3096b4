using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using Gateway.Admission.Stages;
using Gateway.Sources.Upstreams;

namespace Gateway.Host.Http;

/// <summary>
/// The JSON of <c>/api/v1/upstreams</c>: <c>{"upstreams":[…]}</c> by driver, then in the order of the
/// configuration. Unknown fields are absent. The report's texts are safe: text of a peer is escaped and cut. The writer
/// escapes again for JSON.
/// </summary>
internal static class UpstreamJson
{
    /// <summary>Readable with curl; never sent as HTML.</summary>
    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public static ReadOnlyMemory<byte> Write(IReadOnlyList<UpstreamReport> upstreams)
    {
        var buffer = new ArrayBufferWriter<byte>(4 * 1024);
        using var writer = new Utf8JsonWriter(buffer, Options);
        writer.WriteStartObject();
        writer.WriteStartArray("upstreams");
        foreach (var upstream in upstreams)
            Write(writer, upstream);
        writer.WriteEndArray();
        writer.WriteEndObject();
        writer.Flush();
        return buffer.WrittenMemory;
    }

    private static void Write(Utf8JsonWriter writer, UpstreamReport upstream)
    {
        writer.WriteStartObject();
        writer.WriteString("name", upstream.Name);
        writer.WriteString("driver", upstream.Driver);
        writer.WriteString("endpointUrl", upstream.EndpointUrl);
        writer.WriteString("state", upstream.State.ToString().ToLowerInvariant());
        writer.WriteString("since", upstream.Since);
        WriteText(writer, "securityPolicy", upstream.SecurityPolicy);
        writer.WriteString("securityMode", upstream.SecurityMode.ToString());
        writer.WriteBoolean("insecure", upstream.InsecureReason is not null);
        WriteText(writer, "insecureReason", upstream.InsecureReason);
        WriteText(writer, "lastError", upstream.LastError);
        if (upstream.LastErrorAt is { } at)
            writer.WriteString("lastErrorAt", at);
        WriteText(writer, "remedy", upstream.Remedy);
        writer.WriteNumber("nodes", upstream.Nodes);
        writer.WriteNumber("namespaces", upstream.Namespaces);
        Write(writer, upstream.Counts);
        if (upstream.Latency is { } latency)
            Write(writer, latency);
        if (upstream.Load is { } load)
            Write(writer, load);
        if (upstream.Redundancy is { } redundancy)
            Write(writer, redundancy);
        if (upstream.Drift is { } drift)
            Write(writer, drift);
        writer.WriteStartArray("bounds");
        foreach (var (limit, count) in upstream.Bounds)
        {
            writer.WriteStartObject();
            writer.WriteString("bound", EnumLabels.Of(limit));
            writer.WriteString("limit", limit);
            writer.WriteNumber("count", count);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, UpstreamCounts counts)
    {
        writer.WriteStartObject("counts");
        writer.WriteNumber("connects", counts.Connects);
        writer.WriteNumber("connectFailures", counts.ConnectFailures);
        writer.WriteNumber("notifications", counts.Notifications);
        writer.WriteNumber("lostMessages", counts.LostMessages);
        writer.WriteNumber("resumed", counts.Resumed);
        writer.WriteNumber("transferred", counts.Transferred);
        writer.WriteNumber("recoveredMessages", counts.RecoveredMessages);
        writer.WriteNumber("events", counts.Events);
        writer.WriteNumber("refusedEvents", counts.RefusedEvents);
        writer.WriteNumber("conditions", counts.Conditions);
        writer.WriteNumber("gaps", counts.Gaps);
        writer.WriteNumber("circuitBreaks", counts.CircuitBreaks);
        writer.WriteNumber("monitoredItems", counts.MonitoredItems);
        writer.WriteNumber("cyclicItems", counts.CyclicItems);
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, LatencyReport latency)
    {
        writer.WriteStartObject("latency");
        writer.WriteNumber("lastMs", Milliseconds(latency.Last));
        writer.WriteNumber("meanMs", Milliseconds(latency.Mean));
        writer.WriteNumber("worstMs", Milliseconds(latency.Worst));
        writer.WriteNumber("requests", latency.Requests);
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, LoadReport load)
    {
        writer.WriteStartObject("load");
        writer.WriteString("profile", load.Profile);
        writer.WriteNumber("maxItems", load.MaxItems);
        writer.WriteNumber("maxConcurrentRequests", load.MaxConcurrentRequests);
        writer.WriteNumber("maxRequestsPerSecond", load.MaxRequestsPerSecond);
        writer.WriteNumber("maxReadsPerSecond", load.MaxReadsPerSecond);
        writer.WriteNumber("concurrency", load.Concurrency);
        writer.WriteNumber("pace", Math.Round(load.Pace, 2));
        writer.WriteNumber("waiting", load.Waiting);
        Write(writer, "cuts", load.Cuts);
        WriteText(writer, "lastCut", load.LastCut is { } cause ? EnumLabels.Of(cause) : null);
        if (load.LastCutAt is { } cutAt)
            writer.WriteString("lastCutAt", cutAt);
        Write(writer, "refused", load.Refused);
        WriteText(writer, "lastRefusal", load.LastRefusal);
        if (load.LastRefusalAt is { } refusedAt)
            writer.WriteString("lastRefusalAt", refusedAt);
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, RedundancyReport redundancy)
    {
        writer.WriteStartObject("redundancy");
        WriteText(writer, "support", redundancy.Support);
        writer.WriteNumber("failovers", redundancy.Failovers);
        writer.WriteStartArray("servers");
        foreach (var server in redundancy.Servers)
        {
            writer.WriteStartObject();
            writer.WriteString("endpointUrl", server.EndpointUrl);
            writer.WriteString("state", server.State);
            if (server.ServiceLevel is { } level)
                writer.WriteNumber("serviceLevel", level);
            if (server.StandbyItems is { } items)
                writer.WriteNumber("standbyItems", items);
            WriteText(writer, "lastError", server.LastError);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, DriftReport drift)
    {
        writer.WriteStartObject("drift");
        writer.WriteString("since", drift.Since);
        writer.WriteString("words", drift.Words);
        writer.WriteBoolean("dangerous", drift.IsDangerous);
        Write(writer, "counts", [.. drift.Counts.Select(static one => (one.Kind.ToString(), (long)one.Count))]);
        writer.WriteStartArray("changes");
        foreach (var change in drift.Changes)
        {
            writer.WriteStartObject();
            writer.WriteString("kind", EnumLabels.Of(change.Kind.ToString()));
            writer.WriteString("node", change.Node);
            writer.WriteString("was", change.Was);
            WriteText(writer, "is", change.Is);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, string name, IReadOnlyList<(string Name, long Count)> counts)
    {
        writer.WriteStartObject(name);
        foreach (var (kind, count) in counts)
            writer.WriteNumber(EnumLabels.Of(kind), count);
        writer.WriteEndObject();
    }

    private static double Milliseconds(TimeSpan time) => Math.Round(time.TotalMilliseconds, 2);

    private static void WriteText(Utf8JsonWriter writer, string name, string? text)
    {
        if (!string.IsNullOrEmpty(text))
            writer.WriteString(name, text);
    }
}
