namespace Gateway.Rest.Sockets;

/// <summary>The operations of <c>/ws</c>.</summary>
internal enum LiveOpKind
{
    None,
    Ping,
    Subscribe,
    Unsubscribe,

    /// <summary>Another interval for all that is watched.</summary>
    Rate,
    Write,
    SubscribeEvents,
    UnsubscribeEvents,
    Login,
}
