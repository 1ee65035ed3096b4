using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Logs;

namespace Gateway.Host.Telemetry;

/// <summary>Sends log records, and counts what became of them.</summary>
/// <param name="inner">Owned by <see cref="ExporterOfProvider"/>.</param>
/// <param name="outcome">Where to count.</param>
internal sealed class CountedRecords(OtlpLogExporter inner, OtlpOutcome outcome) : BaseExporter<LogRecord>
{
    public override ExportResult Export(in Batch<LogRecord> batch)
    {
        var count = batch.Count;
        try
        {
            return outcome.End(count, inner.Export(batch));
        }
        finally
        {
            // Not before: as in CountedSpans.
            outcome.Leave(count);
        }
    }

    protected override bool OnShutdown(int timeoutMilliseconds) => inner.Shutdown(timeoutMilliseconds);
}
