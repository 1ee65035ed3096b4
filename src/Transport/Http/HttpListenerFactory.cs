using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Transport.Http;

/// <summary>
/// The listeners of HTTP endpoints alone (<see cref="HttpEndPoint"/>): Kestrel's connections, but an accept loop of our
/// own. Kestrel's accepts without end, also over its MaxConcurrentConnections, and every connection is a descriptor.
/// Owner: the host's container.
/// </summary>
internal sealed class HttpListenerFactory(
    TransportContext context, IOptions<SocketTransportOptions> options, ILoggerFactory loggers)
    : IConnectionListenerFactory, IConnectionListenerFactorySelector
{
    public bool CanBind(EndPoint endpoint) => endpoint is HttpEndPoint;

    public ValueTask<IConnectionListener> BindAsync(
        EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        var sockets = options.Value;
        var connections = new SocketConnectionContextFactory(
            new SocketConnectionFactoryOptions
            {
                MaxReadBufferSize = sockets.MaxReadBufferSize,
                MaxWriteBufferSize = sockets.MaxWriteBufferSize,
                UnsafePreferInlineScheduling = sockets.UnsafePreferInlineScheduling,
            },
            loggers.CreateLogger<SocketConnectionContextFactory>());
        return new(new HttpSocketListener((IPEndPoint)endpoint, connections, context));
    }
}
