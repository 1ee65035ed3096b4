using System.Diagnostics.Metrics;
using Gateway.Admission.Stages;

namespace Gateway.Admission.Explain;

/// <summary>The waiting time of served entries, by stage. Threads: any; nothing is allocated.</summary>
internal static class WaitingTimes
{
    /// <summary>Seconds.</summary>
    private static readonly double[] Bounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 10];

    private static readonly Meter Meter = new(AdmissionCounters.MeterName);

    private static readonly Histogram<double> Histogram = Meter.CreateHistogram(
        "gateway_admission_wait_seconds", "s", "Waiting time of served entries, by stage.", null,
        new InstrumentAdvice<double> { HistogramBucketBoundaries = Bounds });

    private static readonly KeyValuePair<string, object?>[] StageTags =
    [
        .. Enum.GetValues<AdmissionStage>().Select(
            stage => new KeyValuePair<string, object?>("stage", ReasonTable.NameOf(stage))),
    ];

    public static void Observe(AdmissionStage stage, TimeSpan waited) =>
        Histogram.Record(waited.TotalSeconds, StageTags[(int)stage]);
}
