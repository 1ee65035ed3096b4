using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;

namespace Gateway.Host.Telemetry;

/// <summary>Sends metrics, and counts what became of them.</summary>
internal sealed class CountedMetrics(OtlpExporterOptions options, OtlpOutcome outcome) : OtlpMetricExporter(options)
{
    public override ExportResult Export(in Batch<Metric> metrics) =>
        outcome.End(metrics.Count, base.Export(metrics));
}
