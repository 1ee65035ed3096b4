using System.Buffers;
using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace Gateway.Host.Http;

/// <summary>
/// Writes the metrics that OpenTelemetry's SDK has aggregated as text for Prometheus. The one class to replace if
/// prometheus-net becomes available. <see cref="MetricsScraper"/> runs one collection at a time.
/// </summary>
[ExportModes(ExportModes.Pull)]
internal sealed class PrometheusExporter : BaseExporter<Metric>, IPullMetricExporter
{
    private readonly ArrayBufferWriter<byte> _buffer = new();
    private readonly SortedDictionary<string, List<Metric>> _families = new(StringComparer.Ordinal);

    /// <summary>Set by the reader that this exporter is given to.</summary>
    public Func<int, bool>? Collect { get; set; }

    /// <summary>For the next collection.</summary>
    public ExpositionFormat Format { get; set; }

    /// <summary>The result of the last collection; valid until the next.</summary>
    public ReadOnlySpan<byte> Text => _buffer.WrittenSpan;

    public override ExportResult Export(in Batch<Metric> batch)
    {
        _buffer.ResetWrittenCount();
        var writer = new ExpositionWriter(_buffer, Format);
        // One family may come from several meters of the same name, and must stand in one piece.
        foreach (var metric in batch)
        {
            var name = ExpositionNames.Family(metric.Name, metric.Unit, TypeOf(metric) == "counter");
            if (!_families.TryGetValue(name, out var members))
                _families[name] = members = [];
            members.Add(metric);
        }
        foreach (var (name, members) in _families)
            WriteFamily(writer, name, members);
        writer.End();
        _families.Clear();
        return ExportResult.Success;
    }

    private static string? TypeOf(Metric metric) => metric.MetricType switch
    {
        MetricType.LongSum or MetricType.DoubleSum => "counter",
        MetricType.LongSumNonMonotonic or MetricType.DoubleSumNonMonotonic => "gauge",
        MetricType.LongGauge or MetricType.DoubleGauge => "gauge",
        MetricType.Histogram => "histogram",
        // Exponential histograms are made by views alone, and there are none.
        _ => null,
    };

    private static void WriteFamily(ExpositionWriter writer, string name, List<Metric> members)
    {
        if (TypeOf(members[0]) is not { } type)
            return;
        writer.Header(name, type, ExpositionNames.Unit(members[0].Unit), members[0].Description);
        foreach (var metric in members)
        {
            if (TypeOf(metric) != type)
                continue;
            foreach (ref readonly var point in metric.GetMetricPoints())
                WritePoint(writer, name, metric.MetricType, point);
        }
    }

    private static void WritePoint(ExpositionWriter writer, string name, MetricType type, in MetricPoint point)
    {
        var labels = ExpositionWriter.Labels(point.Tags);
        if (type == MetricType.Histogram)
        {
            WriteHistogram(writer, name, labels, point);
            return;
        }
        writer.Sample(name, type is MetricType.LongSum or MetricType.DoubleSum ? "_total"u8 : default, labels);
        switch (type)
        {
            case MetricType.LongSum or MetricType.LongSumNonMonotonic:
                writer.Value(point.GetSumLong());
                break;
            case MetricType.DoubleSum or MetricType.DoubleSumNonMonotonic:
                writer.Value(point.GetSumDouble());
                break;
            case MetricType.LongGauge:
                writer.Value(point.GetGaugeLastValueLong());
                break;
            default:
                writer.Value(point.GetGaugeLastValueDouble());
                break;
        }
    }

    private static void WriteHistogram(ExpositionWriter writer, string name, string labels, in MetricPoint point)
    {
        var count = 0L;
        foreach (var bucket in point.GetHistogramBuckets())
        {
            count += bucket.BucketCount;
            writer.Sample(name, "_bucket"u8, labels, bucket.ExplicitBound);
            writer.Value(count);
        }
        writer.Sample(name, "_sum"u8, labels);
        writer.Value(point.GetHistogramSum());
        writer.Sample(name, "_count"u8, labels);
        writer.Value(count);
    }
}
