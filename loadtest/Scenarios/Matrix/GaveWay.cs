namespace Gateway.Loadtest.Scenarios.Matrix;

/// <summary>The first resource that gave way in a cell.</summary>
internal enum GaveWay
{
    /// <summary>It held.</summary>
    Nothing,

    /// <summary>The server refused a session, a subscription, an item or its queue, or a connection ended.</summary>
    Refusal,

    /// <summary>Gaps, repeats, lost messages: all findings of the checks.</summary>
    Loss,

    /// <summary>A value came later than the publishing interval and the bound allow, at the 99th percentile.</summary>
    Lateness,

    /// <summary>Values that were due did not come within the measurement.</summary>
    Starved,

    /// <summary>No core is left, and the server has the larger share.</summary>
    ServerCpu,

    /// <summary>No core is left, and the driver has the larger share: the server's limit was not seen.</summary>
    DriverCpu,

    /// <summary>The server's resident memory passed the bound.</summary>
    Memory,

    /// <summary>The cell was not done in its time.</summary>
    Time,
}
