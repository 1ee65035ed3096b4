using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Scenarios.Soak;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>All that one storm upon one server showed.</summary>
internal sealed record StormResult
{
    public required StormPlan Plan { get; init; }

    /// <summary>Sessions a second, some at a time, upon the same live sessions, before the storm.</summary>
    public required double UnloadedRate { get; init; }

    public required Window Unloaded { get; init; }

    public required StormField Field { get; init; }

    /// <summary>Until the driver had begun all its first connects.</summary>
    public required double LaunchSeconds { get; init; }

    /// <summary>The driver's, until then.</summary>
    public required double LaunchCpuSeconds { get; init; }

    /// <summary>From the first connect to the last client active, or to the limit.</summary>
    public required Window Storm { get; init; }

    public required IReadOnlyList<StormSample> Samples { get; init; }

    public required long SilentOpened { get; init; }

    public required LiveResult Live { get; init; }

    public required ServerLevels Before { get; init; }

    public required ServerLevels After { get; init; }

    /// <summary>Resident, all clients active.</summary>
    public required double AllActiveMiB { get; init; }

    /// <summary>From the last client's leaving until the server held no more than before, or until we gave up.
    /// </summary>
    public required double SecondsUntilBack { get; init; }

    /// <summary>By the gateway's own histogram, sweep against due time, in the storm: the upper bounds of its buckets;
    /// NaN: it has none.</summary>
    public required double ServerLatenessP99Ms { get; init; }

    public required double ServerLatenessMaxMs { get; init; }
}
