using System.Diagnostics;
using OpenTelemetry;

namespace Gateway.Host.Telemetry;

/// <summary>Spans on their way to the collector. Above its limit they are dropped and counted, before the SDK's own
/// queue drops them uncounted. Any thread.</summary>
internal sealed class BoundedSpans : BatchActivityExportProcessor
{
    private readonly OtlpSignal _signal;
    private readonly int _limit;

    public BoundedSpans(BaseExporter<Activity> exporter, OtlpSignal signal, int limit)
        : base(exporter, limit, maxExportBatchSize: Math.Min(limit, OtlpBatch.MaxItems)) =>
        (_signal, _limit) = (signal, limit);

    public override void OnEnd(Activity data)
    {
        if (data.Recorded && _signal.TryQueue(_limit))
            base.OnEnd(data);
    }

    protected override bool OnShutdown(int timeoutMilliseconds) =>
        base.OnShutdown(OtlpBatch.AtStop(timeoutMilliseconds));
}
