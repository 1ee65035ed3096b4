using Gateway.Admission.Stages;

namespace Gateway.Admission.Explain;

/// <summary>
/// Makes the operator's report from admission's counters: the work of each stage over the last minutes, the busiest
/// clients, and advice. Owner: the host, which calls <see cref="Tick"/> every <see cref="TickInterval"/>. Threads: any;
/// its lock is a leaf, and no code that serves a client takes it.
/// </summary>
/// <param name="control">The source of all figures.</param>
/// <param name="limits">All limits of the gateway, as configured, by the key below <c>Limits:</c>.</param>
/// <param name="reduced">The same as the parts enforce them; null: as configured.</param>
public sealed class AdmissionExplainer(
    AdmissionControl control, IReadOnlyDictionary<string, object> limits,
    IReadOnlyDictionary<string, object>? reduced = null)
{
    private const int TicksPerMinute = 6;
    private const int KeptTicks = 5 * TicksPerMinute;
    private const int ListedClients = 20;

    public static readonly TimeSpan TickInterval = TimeSpan.FromSeconds(60.0 / TicksPerMinute);

    private static readonly AdmissionStage[] Stages = Enum.GetValues<AdmissionStage>();

    private readonly Lock _lock = new();
    private readonly StageHistory _stages = new(control.Stages, control.Time, KeptTicks + 1);
    private readonly ClientHistory _certificates = new(() => control.Clients.Certificates, KeptTicks);
    private readonly ClientHistory _addresses = new(() => control.Clients.Addresses, KeptTicks);

    private volatile LimitsInForce? _inForce;

    /// <param name="Enforced">By stage.</param>
    /// <param name="Limits">By name; not changed any more.</param>
    private sealed record LimitsInForce(long[] Enforced, Dictionary<string, object> Limits);

    public void Tick()
    {
        lock (_lock)
        {
            _stages.Tick();
            _certificates.Tick();
            _addresses.Tick();
        }
    }

    public AdmissionReport Report()
    {
        lock (_lock)
        {
            var report = new AdmissionReport
            {
                At = control.Time.GetUtcNow(),
                IsEnabled = control.IsEnabled,
                HandshakeWindow = control.Window.Size,
                HandshakesUnderWay = control.Window.Used,
                HandshakeRate = control.Rate.PerSecond,
                ConcurrencyShare = control.Concurrency.Share,
                Stages = StagesUnderLock(),
                Certificates = Clients(_certificates),
                Addresses = Clients(_addresses),
                Advice = [],
            };
            return report with { Advice = Advisor.Advise(report, InForce(), limits) };
        }
    }

    /// <summary>As the parts and the stages enforce them now.</summary>
    public IReadOnlyDictionary<string, object> InForceByName => InForce();

    /// <summary>The limits have changed.</summary>
    public void Follow() => _inForce = null;

    /// <summary>The limit behind a refusal and its value; null where none is.</summary>
    public KeyValuePair<string, object?>? LimitOf(AdmissionStage stage, RefusalReason reason) =>
        RefusalLimits.NameOf(stage, reason) is { } name
            ? new KeyValuePair<string, object?>(name, InForce().GetValueOrDefault(name))
            : null;

    /// <summary>Advice against the next such refusal; null where there is none.</summary>
    public string? AdviceOn(Refusal refusal) => Advisor.On(refusal.Stage, refusal.Reason, InForce(), limits);

    /// <summary>A stage enforces less than was configured on a host with few descriptors. The table is made once for
    /// what the stages enforce: a page of a thousand refusals looks into it twice for each.</summary>
    private Dictionary<string, object> InForce()
    {
        Span<long> enforced = stackalloc long[Stages.Length];
        for (var i = 0; i < Stages.Length; i++)
            enforced[i] = control.Stages.Limit(Stages[i]);
        if (_inForce is { } known && enforced.SequenceEqual(known.Enforced))
            return known.Limits;
        var inForce = new Dictionary<string, object>(reduced ?? limits, StringComparer.Ordinal);
        for (var i = 0; i < Stages.Length; i++)
        {
            if (enforced[i] > 0 && RefusalLimits.NameOf(Stages[i]) is { } name &&
                limits.GetValueOrDefault(name) is int configured && enforced[i] < configured)
                inForce[name] = (int)enforced[i];
        }

        _inForce = new LimitsInForce(enforced.ToArray(), inForce);
        return inForce;
    }

    private StageReport[] StagesUnderLock()
    {
        var minute = _stages.Since(TimeSpan.FromMinutes(1));
        var five = _stages.Since(TimeSpan.FromMinutes(5));
        return
        [
            .. Enum.GetValues<AdmissionStage>().Select(stage => new StageReport(
                stage, RefusalLimits.NameOf(stage), LimitOf(stage), control.Stages.Use(stage),
                stage == AdmissionStage.Connection ? control.Door.Waiting : control.Stages.Waiting(stage),
                minute[(int)stage], five[(int)stage])),
        ];
    }

    private long LimitOf(AdmissionStage stage)
    {
        var described = control.Stages.Limit(stage);
        return described == 0 && RefusalLimits.NameOf(stage) is { } name &&
            limits.GetValueOrDefault(name) is IConvertible value
            ? value.ToInt64(null)
            : described;
    }

    private static ClientReport[] Clients(ClientHistory history) =>
    [
        .. history.Busiest(ListedClients, KeptTicks).Select(trace => new ClientReport(
            trace.Account.Key, ExplainText.Clean(trace.Account.Subject),
            ExplainText.Clean(trace.Account.ApplicationUri), trace.Account.Address, trace.Account.Connections,
            trace.Attempts(TicksPerMinute), trace.Attempts(KeptTicks), trace.Refusals(KeptTicks),
            trace.Account.FalseClaims, trace.Account.VerifiedCertificates)
        {
            HttpConnections = trace.Account.HttpConnections,
        }),
    ];
}
