using System.Net;
using System.Net.Sockets;
using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Transport.Reverse;

namespace Gateway.Sources.OpcUa.Reverse;

/// <summary>One attempt to get a session from a server that connects to us: all its connections are of one address, so
/// that an answer of one server never speaks for another. Thread: one at a time.</summary>
/// <param name="listener">Null: nobody listens, because the port was not configured at the start.</param>
/// <param name="key">Of the server.</param>
internal sealed class ReverseDial(ReverseListener? listener, string key)
{
    private IPAddress? _address;

    /// <summary>Errors: <see cref="ServiceException"/>.</summary>
    public async ValueTask<Socket> ConnectAsync(CancellationToken cancellation)
    {
        if (listener is null)
            throw new ServiceException(
                StatusCodes.BadNotConnected,
                "it has to connect to ReverseConnect:Port, where the gateway has not listened since its start")
            {
                Fault = ConnectFault.NotListening,
            };
        var (socket, address) = await listener.TakeAsync(key, _address, cancellation).ConfigureAwait(false);
        _address = address;
        return socket;
    }

    /// <summary>The server has shown its certificate.</summary>
    public void Prove()
    {
        if (_address is not null)
            listener?.Prove(key, _address);
    }
}
