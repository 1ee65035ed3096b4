using System.Diagnostics;
using OpenTelemetry;
using OpenTelemetry.Exporter;

namespace Gateway.Host.Telemetry;

/// <summary>Sends spans, and counts what became of them.</summary>
internal sealed class CountedSpans(OtlpExporterOptions options, OtlpOutcome outcome) : OtlpTraceExporter(options)
{
    public override ExportResult Export(in Batch<Activity> activityBatch)
    {
        var count = activityBatch.Count;
        try
        {
            return outcome.End(count, base.Export(activityBatch));
        }
        finally
        {
            // Not before: they leave the SDK's queue one by one, and it drops uncounted what comes while it is full.
            outcome.Leave(count);
        }
    }
}
