namespace Gateway.Loadtest;

/// <summary>The simulated plant of a gateway that is started for a run, and its other settings.</summary>
internal sealed record Plant
{
    public int Tags { get; init; } = 1000;

    public int ChangesPerSecond { get; init; } = 1000;

    /// <summary>Double variables that clients may write and nothing else does; see <see
    /// cref="Machine.WritableNodeSet"/>.
    /// </summary>
    public int WritableTags { get; init; }

    /// <summary>Open files that its process may have; 0: as many as the driver's.</summary>
    public int DescriptorLimit { get; init; }

    /// <summary>Of its UA-TCP listener; 0: a free one.</summary>
    public int Port { get; init; }

    /// <summary>More keys of its configuration, as <c>--Limits:MaxSessions=20000</c>.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>Its appsettings.json, where there is more than a command line takes; empty: none.</summary>
    public string Settings { get; init; } = string.Empty;
}
