namespace Gateway.Client;

/// <summary>How a client goes on after a lost connection.</summary>
public enum ResumeKind
{
    /// <summary>The session, with its subscriptions, on another channel.</summary>
    SameSession,

    /// <summary>A new session has taken over the subscriptions.</summary>
    Transferred,

    /// <summary>A new session: the subscriptions are gone.</summary>
    New,
}
