using Gateway.Codec.Text;
using Gateway.Host.Logging;
using OpenTelemetry;
using OpenTelemetry.Logs;

namespace Gateway.Host.Telemetry;

/// <summary>Bounds and cleans the log records on their way to the collector, as <see cref="GuardedFormatter"/> does for
/// standard output (R24): with a rate of its own, so that neither takes lines from the other. Any thread.</summary>
internal sealed class GuardedRecords : BatchLogRecordExportProcessor
{
    private const string TemplateKey = "{OriginalFormat}";
    private const int BytesOfAttribute = 32;
    private const int MaxStackLength = 4_096;

    private readonly LogThrottle _throttle;
    private readonly OtlpSignal _signal;
    private readonly int _limit;

    public GuardedRecords(BaseExporter<LogRecord> exporter, LogThrottle throttle, OtlpSignal signal, int limit)
        : base(exporter, limit, maxExportBatchSize: Math.Min(limit, OtlpBatch.MaxItems)) =>
        (_throttle, _signal, _limit) = (throttle, signal, limit);

    public override void OnEnd(LogRecord data)
    {
        var template = TemplateOf(data);
        var id = data.EventId;
        var kind = new LogKind(data.CategoryName ?? "", id.Id, id.Id == 0 && id.Name is null ? template : id.Name);
        if (!_throttle.TryTake(kind, template))
        {
            _signal.Drop();
            return;
        }

        if (!_signal.TryQueue(_limit))
            return;
        Clean(data);
        _throttle.Wrote(SizeOf(data));
        base.OnEnd(data);
    }

    protected override bool OnShutdown(int timeoutMilliseconds) =>
        base.OnShutdown(OtlpBatch.AtStop(timeoutMilliseconds));

    private static void Clean(LogRecord data)
    {
        var message = PeerText.EscapeLine(data.FormattedMessage, CleanState.MaxLineLength);
        List<KeyValuePair<string, object?>> attributes =
        [
            .. new CleanState(message, data.Attributes).Where(static one => one.Key != TemplateKey),
        ];
        if (data.EventId.Id != 0)
            attributes.Add(new("event.id", data.EventId.Id));
        if (data.Exception is { } error)
        {
            attributes.Add(new("exception.type", error.GetType().FullName));
            attributes.Add(new("exception.message", PeerText.EscapeLine(error.Message)));
            attributes.Add(new("exception.stacktrace", PeerText.EscapeLine(error.ToString(), MaxStackLength)));
        }

        (data.FormattedMessage, data.Body, data.Attributes, data.Exception) = (message, message, attributes, null);
    }

    /// <summary>A measure of what it costs.</summary>
    private static int SizeOf(LogRecord data)
    {
        var size = data.FormattedMessage?.Length ?? 0;
        foreach (var (_, value) in data.Attributes ?? [])
            size += BytesOfAttribute + (value is string text ? text.Length : 0);
        return size;
    }

    private static string? TemplateOf(LogRecord data)
    {
        if (data.Attributes is not { Count: > 0 } values)
            return null;
        var (key, value) = values[^1];
        return key == TemplateKey ? value as string : null;
    }
}
