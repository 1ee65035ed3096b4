namespace Gateway.Rest.Sockets;

/// <summary>What a client of <c>/ws</c> asks for.</summary>
internal enum LiveOpKind
{
    None,
    Ping,
    Subscribe,
    Unsubscribe,

    /// <summary>Another interval for all that is watched.</summary>
    Rate,
    Write,
    Login,
}
