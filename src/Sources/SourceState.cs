namespace Gateway.Sources;

/// <summary>The state of a driver's connection.</summary>
public enum SourceState
{
    /// <summary>Not started.</summary>
    Stopped,

    /// <summary>Not reached since the start.</summary>
    Connecting,

    /// <summary>Connected; its nodes are looked for.</summary>
    Loading,

    /// <summary>Connected and served whole.</summary>
    Online,

    /// <summary>Connected and served, except for the nodes that a bound left out.</summary>
    Limited,

    /// <summary>Lost, or rejected by the other side; tried again.</summary>
    Away,

    /// <summary>The gateway rejects it: not as secure as configured, not trusted, or its answers met a bound. Tried
    /// again, but an operator has to act.</summary>
    Faulted,
}
