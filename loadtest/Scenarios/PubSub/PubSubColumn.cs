using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>The figures of one part.</summary>
internal sealed record PubSubColumn
{
    public required string Name { get; init; }

    public required Window Window { get; init; }

    /// <summary>The window's server is the peer, which reads from a gateway.</summary>
    public bool IsPeer { get; init; }

    /// <summary>Null: nothing is published.</summary>
    public PublishedCheck? Check { get; init; }

    public Histogram? Latency { get; init; }

    public long Messages { get; init; }

    public long Fields { get; init; }

    public long KeyFrames { get; init; }

    public long Bytes { get; init; }

    public double BrokerCpuSeconds { get; init; }

    /// <summary>They have ended. Null: there were none.</summary>
    public SessionsBeside? Sessions { get; init; }
}
