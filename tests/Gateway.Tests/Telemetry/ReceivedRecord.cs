namespace Gateway.Tests.Telemetry;

/// <summary>A log record as the collector got it.</summary>
internal sealed record ReceivedRecord(
    string Category, string Severity, string Body, string TraceId, string SpanId,
    IReadOnlyDictionary<string, string> Tags)
{
    public static ReceivedRecord Of(string category, ProtobufMessage record) => new(
        category, record.Text(3), Attributes.TextOf(record.Message(5)!), record.Hex(9), record.Hex(10),
        Attributes.Of(record.Messages(6)));
}
