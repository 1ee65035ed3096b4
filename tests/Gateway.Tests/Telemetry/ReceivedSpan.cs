namespace Gateway.Tests.Telemetry;

/// <summary>A span as the collector got it. Ids are lower-case hexadecimal.</summary>
internal sealed record ReceivedSpan(
    string TraceId, string SpanId, string ParentId, string Name, SpanRole Role, TimeSpan Duration, bool IsError,
    IReadOnlyDictionary<string, string> Tags, IReadOnlyList<string> Events)
{
    public static ReceivedSpan Of(ProtobufMessage span) => new(
        span.Hex(1), span.Hex(2), span.Hex(4), span.Text(5), (SpanRole)span.Number(6),
        TimeSpan.FromTicks((long)(span.Number(8) - span.Number(7)) / 100), span.Message(15)?.Number(3) == 2,
        Attributes.Of(span.Messages(9)), [.. span.Messages(11).Select(static one => one.Text(2))]);
}
