using System.Text.Json;

namespace Gateway.PubSub.Captures;

/// <summary>
/// Reads a capture of JSON NetworkMessages, one a line, with or without the topic in front, as <c>mosquitto_sub -v</c>
/// prints them, and says which DataSetMessages are missing. Repeats, which at-least-once allows, are known by their
/// MessageId. Bad input: lines that are no such messages are counted, and nothing else. Owner: one thread.
/// </summary>
public sealed class CaptureLedger
{
    private readonly SortedDictionary<string, WriterLedger> _writers = new(StringComparer.Ordinal);
    private readonly HashSet<string> _messageIds = new(StringComparer.Ordinal);

    /// <summary>By <c>PublisherId/WriterGroupName/DataSetWriterName (DataSetWriterId)</c>.</summary>
    public IReadOnlyDictionary<string, WriterLedger> Writers => _writers;

    /// <summary>NetworkMessages that were there before.</summary>
    public long Repeats { get; private set; }

    /// <summary>Lines that are no JSON NetworkMessage with data.</summary>
    public long Others { get; private set; }

    public void Add(string line)
    {
        try
        {
            var start = line.IndexOf('{', StringComparison.Ordinal);
            if (start < 0)
            {
                Others++;
                return;
            }

            using var message = JsonDocument.Parse(line.AsMemory(start));
            if (!TryAdd(message.RootElement))
                Others++;
        }
        catch (JsonException)
        {
            Others++;
        }
    }

    private static string? TextOf(JsonElement of, string name) =>
        of.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;

    private bool TryAdd(JsonElement message)
    {
        if (TextOf(message, "MessageType") != "ua-data" || TextOf(message, "MessageId") is not { } id ||
            !message.TryGetProperty("Messages", out var data))
            return false;
        if (!_messageIds.Add(id))
        {
            Repeats++;
            return true;
        }

        var above = $"{TextOf(message, "PublisherId")}/{TextOf(message, "WriterGroupName")}";
        return data.ValueKind == JsonValueKind.Array
            ? data.EnumerateArray().Aggregate(true, (isRight, one) => TryAdd(above, one) && isRight)
            : TryAdd(above, data);
    }

    private bool TryAdd(string above, JsonElement message)
    {
        if (message.ValueKind != JsonValueKind.Object ||
            !message.TryGetProperty("DataSetWriterId", out var writer) || !writer.TryGetUInt16(out var writerId) ||
            !message.TryGetProperty("SequenceNumber", out var number) || !number.TryGetUInt32(out var sequence))
            return false;
        // It has the number of the next message.
        if (TextOf(message, "MessageType") == "ua-keepalive")
            return true;
        var name = $"{above}/{TextOf(message, "DataSetWriterName")} ({writerId})";
        if (!_writers.TryGetValue(name, out var ledger))
            _writers.Add(name, ledger = new WriterLedger());
        ledger.Add(sequence);
        return true;
    }
}
