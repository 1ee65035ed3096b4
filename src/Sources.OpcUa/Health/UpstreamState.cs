namespace Gateway.Sources.OpcUa.Health;

/// <summary>Where an upstream stands.</summary>
public enum UpstreamState
{
    /// <summary>Not reached since the start.</summary>
    Connecting,

    /// <summary>Connected; its nodes are looked for.</summary>
    Loading,

    /// <summary>Connected and served whole.</summary>
    Online,

    /// <summary>Connected and served, but for what a bound left out.</summary>
    Limited,

    /// <summary>Lost or refused by the other side; tried again.</summary>
    Away,

    /// <summary>The gateway refuses it: not as secure as configured, not trusted, or its answers met a bound. Tried
    /// again, but it takes an operator.</summary>
    Faulted,
}
