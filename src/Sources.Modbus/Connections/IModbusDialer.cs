namespace Gateway.Sources.Modbus.Connections;

/// <summary>Connects to a device. Errors: <see cref="IOException"/>, <see cref="System.Net.Sockets.SocketException"/>.
/// </summary>
internal interface IModbusDialer
{
    /// <returns>The bytes of both directions. The caller owns it.</returns>
    ValueTask<Stream> DialAsync(string host, int port, CancellationToken cancellation);
}
