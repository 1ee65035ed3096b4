using System.Net.Sockets;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Connections;

/// <summary>Opens TCP, and TLS where it is configured, within <c>ConnectDeadline</c>. Errors: ConnectFailed,
/// ConnectTimeout, and those of <see cref="BrokerTls"/>.</summary>
internal static class BrokerDialer
{
    /// <param name="options">Host, port, TLS, deadline.</param>
    /// <param name="connect">Opens TCP.</param>
    /// <param name="time">Of the deadline.</param>
    /// <param name="cancellation">The client ends.</param>
    /// <exception cref="MqttConnectException">With the fault.</exception>
    public static async Task<Stream> DialAsync(
        MqttClientOptions options, Func<string, int, CancellationToken, ValueTask<Stream>> connect, TimeProvider time,
        CancellationToken cancellation)
    {
        using var deadline = new CancellationTokenSource(options.Limits.ConnectDeadline, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellation);
        Stream? stream = null;
        try
        {
            stream = await connect(options.Host, options.EffectivePort, either.Token).ConfigureAwait(false);
            return options.Tls is { } tls
                ? await BrokerTls.SecureAsync(stream, tls, options.Host, either.Token).ConfigureAwait(false)
                : stream;
        }
        catch (Exception e)
        {
            if (stream is not null)
                await stream.DisposeAsync().ConfigureAwait(false);
            cancellation.ThrowIfCancellationRequested();
            throw e switch
            {
                MqttConnectException => e,
                OperationCanceledException => new MqttConnectException(MqttFault.ConnectTimeout, inner: e),
                SocketException or IOException => new MqttConnectException(MqttFault.ConnectFailed, inner: e),
                _ => new MqttConnectException(MqttFault.Internal, inner: e),
            };
        }
    }
}
