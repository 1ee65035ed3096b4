using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios;

/// <summary>The observations at one number of sessions; the opening is that of the step alone, the rates and the memory
/// are of all sessions so far.</summary>
internal sealed record SessionsStep
{
    public required int Sessions { get; init; }

    public required int Opened { get; init; }

    public required int Refused { get; init; }

    public required int Lost { get; init; }

    public required double OpeningSeconds { get; init; }

    public required double RateAll { get; init; }

    public required double RateFirst { get; init; }

    public required double RateLast { get; init; }

    public required Window Opening { get; init; }

    /// <summary>Resident, a session of this step.</summary>
    public required double SessionBytes { get; init; }

    /// <summary>Resident, a session of all.</summary>
    public required double SubscribedBytes { get; init; }

    public required Window Steady { get; init; }

    public required long Values { get; init; }

    public required long Messages { get; init; }

    /// <summary>Subscriptions that got nothing in the measured time.</summary>
    public required long Silent { get; init; }

    public required double LatenessP50Ms { get; init; }

    public required double LatenessP99Ms { get; init; }

    public required double LatenessMaxMs { get; init; }

    public required WatcherTotals Totals { get; init; }

    /// <summary>Null for a server without <c>/metrics</c>.</summary>
    public required ScrapeCost? Scrape { get; init; }
}
