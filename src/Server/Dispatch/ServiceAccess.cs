namespace Gateway.Server.Dispatch;

/// <summary>The channel and session that a service requires.</summary>
internal enum ServiceAccess
{
    /// <summary>Any channel, also one of a policy that is not on offer.</summary>
    Discovery,

    /// <summary>A channel of an offered policy; the service itself checks the session.</summary>
    Channel,

    /// <summary>An activated session on the channel that it was activated on (R15, R34).</summary>
    Session,

    /// <summary>As <see cref="Session"/>, or a user whom the channel's transport has checked. Source: Part 4 §6.3.
    /// </summary>
    Caller,
}
