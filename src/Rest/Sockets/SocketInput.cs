namespace Gateway.Rest.Sockets;

/// <summary>An arrival from the peer.</summary>
internal enum SocketInput
{
    /// <summary>A message in <see cref="SocketConnection.Message"/>.</summary>
    Text,

    /// <summary>The same.</summary>
    Binary,

    /// <summary>The peer has closed, or it is to be ended: see <see cref="SocketConnection.Ending"/>.</summary>
    End,
}
