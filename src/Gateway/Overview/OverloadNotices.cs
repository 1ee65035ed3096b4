using System.Globalization;
using Gateway.Rest.Overview;
using Gateway.Sources;
using Gateway.Sources.Upstreams;

namespace Gateway.Host.Overview;

/// <summary>Controllers that cannot do what clients want of them: the gateway has asked one for less than half of its
/// budget for a minute, or has refused wishes for want of a budget in the last minute.</summary>
/// <param name="drivers">Made later: the paths are mapped before drivers start.</param>
/// <param name="time">For the minute.</param>
internal sealed class OverloadNotices(Lazy<SourceDrivers> drivers, TimeProvider time) : INoticeSource
{
    public const string Kind = "overload";

    private const double LowPace = 0.5;

    private const string CutRemedy =
        "Let clients ask for less or more slowly, or look at what else loads the controller. The gateway asks it for "
        + "more again by itself.";

    private const string RefusedRemedy =
        "The page Upstreams says which part of the budget is used up. Raise it if the controller can do more, or let "
        + "clients ask for less.";

    private static readonly TimeSpan Long = TimeSpan.FromMinutes(1);

    private readonly Dictionary<string, long> _lowSince = new(StringComparer.Ordinal);

    /// <summary>The last refusal of each, and when it was seen: that clock does not jump (R28).</summary>
    private readonly Dictionary<string, (DateTimeOffset At, long SeenAt)> _refusals = new(StringComparer.Ordinal);

    public IEnumerable<Notice> Read() => Of(drivers.Value.Upstreams());

    internal List<Notice> Of(IEnumerable<UpstreamReport> reports)
    {
        var (notices, low) = (new List<Notice>(), new HashSet<string>(StringComparer.Ordinal));
        var loaded = new HashSet<string>(StringComparer.Ordinal);
        foreach (var report in reports)
        {
            if (report.Load is not { } load)
                continue;
            loaded.Add(report.Name);
            if (load.Pace < LowPace)
                low.Add(report.Name);
            if (Find(report.Name, load) is { } notice)
                notices.Add(notice);
        }

        foreach (var name in _lowSince.Keys.Where(name => !low.Contains(name)).ToList())
            _lowSince.Remove(name);
        foreach (var name in _refusals.Keys.Where(name => !loaded.Contains(name)).ToList())
            _refusals.Remove(name);
        return notices;
    }

    /// <summary>One an upstream: the cut says more than the refusals, which follow from it.</summary>
    private Notice? Find(string name, LoadReport load)
    {
        var now = time.GetTimestamp();
        if (load.LastRefusalAt is { } last && (!_refusals.TryGetValue(name, out var known) || known.At != last))
            _refusals[name] = (last, now);
        if (load.Pace < LowPace)
        {
            _lowSince.TryAdd(name, now);
            if (time.GetElapsedTime(_lowSince[name], now) >= Long)
                return new Notice(
                    Kind, name, false,
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{name} gets {load.Pace * 100:0} % of its budget: its answers were {CauseOf(load)}."),
                    CutRemedy);
        }

        return _refusals.TryGetValue(name, out var refusal) && time.GetElapsedTime(refusal.SeenAt, now) < Long
            ? new Notice(Kind, name, false, $"The budget of {name} refuses clients: {load.LastRefusal}", RefusedRemedy)
            : null;
    }

    private static string CauseOf(LoadReport load) => load.LastCut switch
    {
        "Slow" => "slow",
        "Timeout" => "missing",
        _ => "refusals",
    };
}
