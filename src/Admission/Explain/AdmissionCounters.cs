using System.Diagnostics.Metrics;
using Gateway.Admission.Stages;

namespace Gateway.Admission.Explain;

/// <summary>Admission's counters on meter <c>Gateway.Admission</c>: read from the books at each collection, so that
/// counting costs nothing more. Labels are stages and reasons, never a peer. Threads: any.</summary>
public sealed class AdmissionCounters(AdmissionControl control) : IDisposable
{
    public const string MeterName = "Gateway.Admission";

    private static readonly AdmissionStage[] Stages = Enum.GetValues<AdmissionStage>();
    private static readonly KeyValuePair<string, object?>[] StageTags =
        [.. Stages.Select(stage => new KeyValuePair<string, object?>("stage", ReasonTable.NameOf(stage)))];

    private readonly Meter _meter = new(MeterName);

    /// <summary>Makes the instruments. Once.</summary>
    public void Start()
    {
        var book = control.Stages;
        Count("gateway_admission_admitted_total", book.Admitted, "Admitted, by stage.");
        Count("gateway_admission_queued_total", book.Queued, "Queued before they were admitted or rejected.");
        _meter.CreateObservableCounter("gateway_admission_shed_total", Shed, null, "Rejected, by stage and reason.");
        Gauge("gateway_admission_in_use", book.Use, "Entries that a stage holds now.");
        Gauge("gateway_admission_limit", book.Limit, "Limit on the entries of a stage; 0: it has no limit of its own.");
        Gauge("gateway_admission_waiting", Waiting, "Clients and requests that wait at a stage now.");
        _meter.CreateObservableGauge("gateway_admission_handshake_window", () => control.Window.Size, null,
            "Handshakes that may be under way.");
        _meter.CreateObservableGauge("gateway_admission_handshakes_under_way", () => control.Window.Used, null,
            "Handshakes under way.");
        _meter.CreateObservableGauge("gateway_admission_handshake_rate", () => control.Rate.PerSecond, null,
            "Handshakes a second that the private keys serve, as measured.");
        _meter.CreateObservableGauge("gateway_admission_concurrency_share", () => control.Concurrency.Share, null,
            "Part of the private-key workers' time that handshakes may take: 1 while the plant's data is on time.");
        _meter.CreateObservableGauge("gateway_admission_known_certificates", () => control.Known.Count, null,
            "Certificates that were active before.");
        _meter.CreateObservableGauge("gateway_admission_tracked_addresses", () => control.Clients.AddressCount, null,
            "Addresses whose use is accounted.");
        _meter.CreateObservableGauge("gateway_admission_tracked_certificates",
            () => control.Clients.CertificateCount, null, "Certificates whose use is accounted.");
    }

    public void Dispose() => _meter.Dispose();

    internal bool Owns(Instrument instrument) => instrument.Meter == _meter;

    private long Waiting(AdmissionStage stage) => stage == AdmissionStage.Connection
        ? control.Door.Waiting
        : control.Stages.Waiting(stage);

    private void Count(string name, Func<AdmissionStage, long> value, string description) =>
        _meter.CreateObservableCounter(name, () => ByStage(value), null, description);

    private void Gauge(string name, Func<AdmissionStage, long> value, string description) =>
        _meter.CreateObservableGauge(name, () => ByStage(value), null, description);

    private static IEnumerable<Measurement<long>> ByStage(Func<AdmissionStage, long> value)
    {
        foreach (var stage in Stages)
            yield return new Measurement<long>(value(stage), StageTags[(int)stage]);
    }

    /// <summary>The reasons that a stage is known to have are there from the start, so that a first refusal shows as an
    /// increase; any other as soon as it is counted.</summary>
    private IEnumerable<Measurement<long>> Shed()
    {
        foreach (var stage in Stages)
        {
            foreach (var reason in Enum.GetValues<RefusalReason>())
            {
                var count = control.Stages.Shedded(stage, reason);
                if (count > 0 || RefusalLimits.IsUsual(stage, reason))
                    yield return new Measurement<long>(
                        count, StageTags[(int)stage],
                        new KeyValuePair<string, object?>("reason", ReasonTable.NameOf(reason)));
            }
        }
    }
}
