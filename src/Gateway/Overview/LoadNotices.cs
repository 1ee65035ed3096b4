using System.Globalization;
using Gateway.Admission;
using Gateway.Rest.Management;
using Gateway.Rest.Overview;

namespace Gateway.Host.Overview;

/// <summary>Storms, late sweeps, and limits that are nearly used up.</summary>
internal sealed class LoadNotices(AdmissionControl admission, IOverviewHistory history, IGatewayFacts facts)
    : INoticeSource
{
    /// <summary>As the README's alert has it.</summary>
    private const double LateMs = 250;

    private const double NearlyFull = 0.9;

    /// <summary>Limits are walked on every third look: that goes over the sessions.</summary>
    private const int LooksPerLimits = 3;

    private IReadOnlyList<Notice> _limits = [];
    private int _looks;

    public IEnumerable<Notice> Read()
    {
        var samples = history.Read(0);
        var last = samples.Count == 0 ? null : samples[^1];
        var waiting = admission.Door.Waiting;
        if (waiting > 0 || last is { RejectionsPerSecond: >= 1 })
            yield return new Notice(
                "storm", "admission", last is { RejectionsPerSecond: >= 1 },
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{waiting} connections wait, and {last?.RejectionsPerSecond ?? 0:0} are rejected in a second."),
                "The page Admission says at which stage and why. Clients that wait come in by themselves.");
        if (last is { LatenessMs: > LateMs })
            yield return new Notice(
                "late", "sweep", false,
                string.Create(
                    CultureInfo.InvariantCulture, $"Subscriptions are served {last.LatenessMs:0} ms late."),
                "The gateway has too little processor time: give it more, or let clients ask for less.");
        if (_looks++ % LooksPerLimits == 0)
            _limits = [.. facts.ReadLimits().Where(IsNearlyUsed).Select(Of)];
        foreach (var notice in _limits)
            yield return notice;
    }

    private static bool IsNearlyUsed(LimitValue limit) =>
        limit.Use is { } use && limit.InForce is not TimeSpan && AmountOf(limit) is > 0 and var most &&
        use >= NearlyFull * most;

    private static Notice Of(LimitValue limit) => new(
        "limit", limit.Name, limit.Use >= AmountOf(limit),
        string.Create(
            CultureInfo.InvariantCulture, $"{limit.Use:N0} of {AmountOf(limit):N0} are used: {limit.Bounds}"),
        limit.Remedy);

    private static double AmountOf(LimitValue limit) => Convert.ToDouble(limit.InForce, CultureInfo.InvariantCulture);
}
