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
        outcome.Leave(count);
        return outcome.End(count, base.Export(activityBatch));
    }
}
