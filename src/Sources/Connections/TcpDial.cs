namespace Gateway.Sources.Connections;

/// <summary>Opens a TCP connection for a driver. Errors: <see cref="IOException"/>,
/// <see cref="System.Net.Sockets.SocketException"/>.</summary>
/// <returns>The bytes of both directions. The caller owns it.</returns>
public delegate ValueTask<Stream> TcpDial(string host, int port, CancellationToken cancellation);
