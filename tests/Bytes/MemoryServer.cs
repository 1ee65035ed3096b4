using Gateway.Testing;
using Gateway.Testing.Loopback;
using Gateway.Transport.Hosting;
using Gateway.Transport.Tracing;
using Gateway.Transport.Tests.Support;

namespace Gateway.Bytes;

/// <summary>The parts without sockets, on time that a test moves: with the shards turned by the test, everything after
/// the handshake happens on its thread.</summary>
internal sealed class MemoryServer : IAsyncDisposable
{
    private readonly UaTcpConnectionHandler _connections;

    private MemoryServer(TracingOptions tracing)
    {
        Parts = new LoopbackParts(Time, tracing: tracing);
        _connections = new UaTcpConnectionHandler(Parts.Transport, Parts.Options, Parts.Server);
    }

    public ManualTimeProvider Time { get; } = new();

    public LoopbackParts Parts { get; }

    public static MemoryServer Start(TracingOptions? tracing = null) => new(tracing ?? TracingOptions.Off);

    public WireClient Connect()
    {
        var (server, client) = PipeConnectionContext.CreatePair(1 << 20);
        _ = _connections.OnConnectedAsync(server);
        return new WireClient(new PipeWire(client), Parts.Client, Parts.Certificate);
    }

    public ValueTask DisposeAsync() => Parts.DisposeAsync();
}
