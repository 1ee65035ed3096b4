using System.Net;
using System.Net.Sockets;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Brokers;

/// <summary>A broker that does what a test says and nothing else.</summary>
internal sealed class FakeBroker : IAsyncDisposable
{
    /// <summary>Success, without properties.</summary>
    public const string Welcome5 = "20 03 00 00 00";
    public const string Welcome311 = "20 02 00 00";

    private readonly Socket _listener = new(SocketType.Stream, ProtocolType.Tcp);
    private readonly List<BrokerLink> _links = [];

    public FakeBroker()
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    public async Task<BrokerLink> AcceptAsync()
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        var link = new BrokerLink(await _listener.AcceptAsync(patience.Token));
        _links.Add(link);
        return link;
    }

    /// <summary>The next connection, behind CONNECT and this CONNACK.</summary>
    public async Task<BrokerLink> WelcomeAsync(string connAck = Welcome5)
    {
        var link = await AcceptAsync();
        Assert.Equal(0x10, (await link.ReadAsync()).First);
        await link.SendAsync(connAck);
        return link;
    }

    public async ValueTask DisposeAsync()
    {
        _listener.Dispose();
        foreach (var link in _links)
            await link.DisposeAsync();
    }
}
