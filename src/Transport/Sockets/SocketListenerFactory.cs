using System.Net;
using Microsoft.AspNetCore.Connections;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Transport.Sockets;

/// <summary>
/// Our own transport below Kestrel, for UA-TCP endpoints alone (<see cref="UaTcpEndPoint"/>): no pipes, no state
/// machines and no system call that finds nothing between the kernel and the conversation, and nothing but a descriptor
/// for a connection that is not admitted. Linux only; elsewhere Kestrel's own sockets serve. Owner: the host's
/// container. It owns the event loops, one a core, from the first listener on.
/// </summary>
internal sealed class SocketListenerFactory(TransportContext context)
    : IConnectionListenerFactory, IConnectionListenerFactorySelector, IDisposable
{
    private readonly Lock _lock = new();
    private EventLoop[]? _loops;

    public static bool IsSupported => OperatingSystem.IsLinux();

    public bool CanBind(EndPoint endpoint) => endpoint is UaTcpEndPoint;

    public ValueTask<IConnectionListener> BindAsync(
        EndPoint endpoint, CancellationToken cancellationToken = default) =>
        new(new SocketListener((IPEndPoint)endpoint, Loops(), context, KernelAcceptor.Open));

    public void Dispose()
    {
        lock (_lock)
        {
            foreach (var loop in _loops ?? [])
                loop.Dispose();
            _loops = [];
        }
    }

    private EventLoop[] Loops()
    {
        lock (_lock)
        {
            return _loops ??=
                [.. Enumerable.Range(0, Environment.ProcessorCount).Select(index => new EventLoop(index))];
        }
    }
}
