namespace Gateway.Server.Dispatch;

/// <summary>What a service asks of the channel and the session before it runs.</summary>
internal enum ServiceAccess
{
    /// <summary>Any channel, also one of a policy that is not offered.</summary>
    Discovery,

    /// <summary>A channel of an offered policy; the service itself looks after the session.</summary>
    Channel,

    /// <summary>An activated session on the channel that it was activated on (R15, R34).</summary>
    Session,

    /// <summary>The same, or the user whom the transport of the channel has checked. Source: Part 4 §6.3.</summary>
    Caller,
}
