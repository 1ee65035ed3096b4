using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Logs;

namespace Gateway.Host.Telemetry;

/// <summary>Passes no record on. An exporter knows the resource only by the provider of a processor that holds it, and
/// <see cref="CountedRecords"/> stands between; so this one holds it, and owns it.</summary>
internal sealed class ExporterOfProvider(OtlpLogExporter exporter) : SimpleLogRecordExportProcessor(exporter)
{
    public override void OnEnd(LogRecord data)
    {
    }
}
