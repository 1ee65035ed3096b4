using Gateway.Codec.Structures;

namespace Gateway.Publish;

/// <summary>One subscription or stream as an operator sees it.</summary>
/// <param name="Diagnostics">Source: Part 5 §12.15.</param>
/// <param name="Owner">Of its session, also of one that has ended.</param>
public sealed record SubscriptionReport(SubscriptionDiagnosticsDataType Diagnostics, SessionOwner Owner)
{
    /// <summary>It has no session: a client of HTTP or a part of the gateway reads it.</summary>
    public bool IsStream { get; init; }

    /// <summary>Its session has ended, and another may take it over until its lifetime is over.</summary>
    public bool IsDetached { get; init; }

    /// <summary>It outlives the gateway, and waits for its client for hours.</summary>
    public bool IsDurable { get; init; }

    /// <summary>It has something to send and no Publish request to send it by.</summary>
    public bool IsLate { get; init; }

    /// <summary>The sum of its items' queue sizes.</summary>
    public long QueueCapacity { get; init; }

    /// <summary>Values that queues have given up for newer ones, those of a queue of one among them.</summary>
    public long Discarded { get; init; }
}
