namespace Gateway.Server.Management;

/// <summary>Where a session stands.</summary>
public enum SessionPhase
{
    /// <summary>Not activated yet.</summary>
    Created,

    Active,

    /// <summary>Its connection is gone. It waits for its client until its time-out.</summary>
    Waiting,
}
