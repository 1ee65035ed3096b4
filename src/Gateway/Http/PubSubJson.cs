using System.Globalization;
using System.Text.Json;
using Gateway.Codec.Structures;
using Gateway.PubSub.States;
using Gateway.Rest.Management;
using Gateway.Store;

namespace Gateway.Host.Http;

/// <summary>The state of PubSub for <c>GET /api/v1/pubsub</c>: connections with their causes, what waits in their
/// stores, what was lost. Threads: any.</summary>
internal sealed class PubSubJson(IPubSubState state, IReaderState readers) : IPubSubReport
{
    public void Write(Utf8JsonWriter json)
    {
        json.WriteBoolean("configured", true);
        json.WriteString("publisherId", state.PublisherId);
        json.WriteStartArray("connections");
        foreach (var connection in state.ReadConnections(explainsGaps: true))
            Write(json, connection);
        json.WriteEndArray();
        json.WriteStartArray("dataSets");
        foreach (var dataSet in state.ReadDataSets())
        {
            json.WriteStartObject();
            json.WriteString("name", dataSet.Name);
            json.WriteNumber("fields", dataSet.Fields);
            json.WriteNumber("missing", dataSet.Missing);
            json.WriteNumber("refused", dataSet.Refused);
            json.WriteNumber("majorVersion", dataSet.MajorVersion);
            json.WriteNumber("minorVersion", dataSet.MinorVersion);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("readerConnections");
        foreach (var connection in readers.ReadReaderConnections())
            Write(json, connection);
        json.WriteEndArray();
        json.WriteStartArray("readers");
        foreach (var reader in readers.ReadReaders())
            Write(json, reader);
        json.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter json, ReaderConnectionReport connection)
    {
        json.WriteStartObject();
        json.WriteString("name", connection.Name);
        json.WriteString("address", connection.Address);
        json.WriteString("state", connection.State.ToString());
        if (connection.Detail.Length > 0)
            json.WriteString("detail", connection.Detail);
        if (connection.Connects is { } connects)
            json.WriteNumber("connects", connects);
        json.WriteNumber("messages", connection.Messages);
        json.WriteNumber("strangers", connection.Strangers);
        json.WriteNumber("chunkTimeouts", connection.ChunkTimeouts);
        json.WriteNumber("probes", connection.Probes);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, ReaderReport reader)
    {
        json.WriteStartObject();
        json.WriteString("connection", reader.Connection);
        json.WriteString("group", reader.Group);
        json.WriteString("name", reader.Name);
        json.WriteString("publisherId", reader.PublisherId);
        json.WriteNumber("dataSetWriterId", reader.DataSetWriterId);
        json.WriteString("state", reader.State.ToString());
        if (reader.LastMessageAt is { } last)
            json.WriteString("lastMessageAt", last);
        json.WriteNumber("fields", reader.Fields);
        json.WriteNumber("messages", reader.Messages);
        json.WriteNumber("values", reader.Values);
        json.WriteNumber("repeats", reader.Repeats);
        json.WriteNumber("gaps", reader.Gaps);
        json.WriteStartObject("problems");
        foreach (var (problem, count) in reader.Problems)
            json.WriteNumber(problem, count);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, ConnectionReport connection)
    {
        json.WriteStartObject();
        json.WriteString("name", connection.Name);
        json.WriteString("address", connection.Address);
        json.WriteString("state", connection.State.ToString());
        if (connection.Detail.Length > 0)
            json.WriteString("detail", connection.Detail);
        if (connection.Connects is { } connects)
            json.WriteNumber("connects", connects);
        json.WriteNumber("discarded", connection.Discarded);
        json.WriteNumber("probes", connection.Probes);
        json.WriteNumber("refusedProbes", connection.RefusedProbes);
        if (connection.Store is { } store)
            Write(json, store);
        json.WriteStartArray("gaps");
        foreach (var gap in connection.Gaps)
            Write(json, gap);
        json.WriteEndArray();
        json.WriteStartArray("groups");
        foreach (var group in connection.Groups)
            Write(json, group);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, StoreState store)
    {
        json.WriteStartObject("store");
        json.WriteNumber("storedBytes", store.StoredBytes);
        json.WriteNumber("maxBytes", store.MaxBytes);
        json.WriteNumber("messages", store.Records);
        if (store.OldestTime is { } oldest)
            json.WriteString("oldestTime", oldest);
        json.WriteNumber("messagesInPerSecond", Math.Round(store.RecordsInPerSecond, 1));
        json.WriteNumber("messagesOutPerSecond", Math.Round(store.RecordsOutPerSecond, 1));
        if (store.UntilFull is { } untilFull)
            json.WriteNumber("untilFullSeconds", Math.Round(untilFull.TotalSeconds));
        json.WriteNumber("appended", store.Appended);
        json.WriteNumber("acknowledged", store.Acknowledged);
        json.WriteNumber("lost", store.Lost);
        json.WriteBoolean("isWriting", store.IsWriting);
        if (store.LastError is { } error)
            json.WriteString("lastError", error);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, GapReport report)
    {
        var gap = report.Gap;
        json.WriteStartObject();
        json.WriteString("reason", gap.Reason.ToString());
        json.WriteNumber("from", gap.From);
        json.WriteNumber("to", gap.To);
        json.WriteNumber("count", gap.Count);
        json.WriteString("firstTime", gap.FirstTime);
        json.WriteString("lastTime", gap.LastTime);
        json.WriteStartObject("writers");
        foreach (var (writer, count) in gap.Writers)
            json.WriteNumber(writer.ToString(CultureInfo.InvariantCulture), count);
        json.WriteEndObject();
        json.WriteStartArray("tags");
        foreach (var tag in report.Tags)
        {
            json.WriteStartObject();
            json.WriteString("tag", tag.Tag);
            json.WriteString("from", gap.FirstTime);
            json.WriteString("to", gap.LastTime);
            json.WriteNumber("count", tag.Count);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteNumber("tagsLeftOff", report.TagsLeftOff);
        if (report.ReportedAt is { } reported)
            json.WriteString("reportedAt", reported);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, GroupReport group)
    {
        json.WriteStartObject();
        json.WriteString("name", group.Name);
        json.WriteString("state", (group.Hindrance is null ? PubSubState.Operational : PubSubState.Error).ToString());
        if (group.Hindrance is { } hindrance)
            json.WriteString("detail", hindrance);
        json.WriteString("encoding", group.Encoding);
        json.WriteNumber("publishingIntervalMs", group.PublishingIntervalMs);
        json.WriteNumber("messages", group.Messages);
        json.WriteNumber("bytes", group.Bytes);
        json.WriteNumber("values", group.Values);
        json.WriteNumber("lost", group.Lost);
        json.WriteNumber("tooLarge", group.TooLarge);
        json.WriteNumber("skipped", group.Skipped);
        json.WriteNumber("refusedFields", group.RefusedFields);
        json.WriteStartArray("writers");
        foreach (var writer in group.Writers)
        {
            json.WriteStartObject();
            json.WriteString("name", writer.Name);
            json.WriteNumber("dataSetWriterId", writer.DataSetWriterId);
            json.WriteString("dataSet", writer.DataSet);
            json.WriteNumber("messages", writer.Messages);
            json.WriteString("topic", writer.Topic);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }
}
