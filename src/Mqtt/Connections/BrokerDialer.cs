using System.Net.Sockets;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Connections;

/// <summary>Opens TCP, and TLS where it is configured, within <c>ConnectDeadline</c>. Errors: ConnectFailed,
/// ConnectTimeout, and those of <see cref="BrokerTls"/>.</summary>
internal static class BrokerDialer
{
    /// <param name="options">Host, port, TLS, deadline.</param>
    /// <param name="time">Of the deadline.</param>
    /// <param name="cancellation">The client ends.</param>
    /// <exception cref="MqttConnectException">With the fault.</exception>
    public static async Task<Stream> DialAsync(
        MqttClientOptions options, TimeProvider time, CancellationToken cancellation)
    {
        using var deadline = new CancellationTokenSource(options.Limits.ConnectDeadline, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellation);
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        Stream? stream = null;
        try
        {
            await socket.ConnectAsync(options.Host, options.EffectivePort, either.Token).ConfigureAwait(false);
            stream = new NetworkStream(socket, ownsSocket: true);
            if (options.Tls is { } tls)
                stream = await BrokerTls.SecureAsync(stream, tls, options.Host, either.Token).ConfigureAwait(false);
            return stream;
        }
        catch (Exception e)
        {
            socket.Dispose();
            cancellation.ThrowIfCancellationRequested();
            throw e switch
            {
                MqttConnectException => e,
                OperationCanceledException => new MqttConnectException(MqttFault.ConnectTimeout, inner: e),
                SocketException => new MqttConnectException(MqttFault.ConnectFailed, inner: e),
                IOException => new MqttConnectException(MqttFault.SocketFailed, inner: e),
                _ => new MqttConnectException(MqttFault.Internal, inner: e),
            };
        }
    }
}
