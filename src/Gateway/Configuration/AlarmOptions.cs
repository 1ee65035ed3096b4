namespace Gateway.Host.Configuration;

/// <summary>The section <c>Alarms</c>.</summary>
internal sealed record AlarmOptions
{
    /// <summary>An alarm that is acknowledged waits for a confirmation, too. Default false: not every client can
    /// confirm.</summary>
    public bool Confirm { get; init; }

    /// <summary>The file that keeps the states of the gateway's own alarms over restarts; empty: they begin anew.
    /// Default: alarms.json in the folder of Pki:Path, because that outlives the process.</summary>
    public string Path { get; init; } = "";
}
