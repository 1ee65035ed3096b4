namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>A visitor's act during one stay.</summary>
internal enum SoakAct
{
    /// <summary>A session with a subscription, closed in order.</summary>
    Stay,

    /// <summary>The connection is reset, without a word; session and subscription are left to their time-outs.
    /// </summary>
    Cut,

    /// <summary>A socket that says nothing, or half a Hello, and goes.</summary>
    HalfOpen,

    /// <summary>Create, Modify, SetMonitoringMode and Delete upon a subscription, many under way at a time.</summary>
    Flood,

    /// <summary>A client that takes nothing off the wire for a while.</summary>
    SlowReader,

    /// <summary>A subscription that another session takes over.</summary>
    Transfer,
}
