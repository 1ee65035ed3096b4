namespace Gateway.Host.Configuration;

/// <summary>The section <c>Alarms</c>.</summary>
internal sealed record AlarmOptions
{
    /// <summary>An alarm that is acknowledged waits for a confirmation, too. Default false: not every client can
    /// confirm.</summary>
    public bool Confirm { get; init; }
}
