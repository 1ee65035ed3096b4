using System.Net;
using System.Net.Sockets;
using Gateway.Loadtest.Scenarios.Abuse;
using Gateway.Testing;

namespace Gateway.Loadtest.Tests.Scenarios.Abuse;

public sealed class HandshakeRelayTests
{

    [Fact]
    public async Task Relay_PointReachedAndHolds_TheServerKeepsItsSideAndTheClientIsGone()
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        var target = new WireTarget($"opc.tcp://127.0.0.1:{((IPEndPoint)server.LocalEndpoint).Port}");
        using var relay = new HandshakeRelay(target, new HandshakePoint("test", 0, 2), holds: true, addresses: 1);
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await client.ConnectAsync(IPAddress.Loopback, new Uri(relay.Url).Port, patience.Token);
        using var accepted = await server.AcceptSocketAsync(patience.Token);

        await WireFrame.SendAsync(client, target.Hello, patience.Token);
        Assert.Equal("HEL", (await WireFrame.ReadAsync(accepted, patience.Token)).Type);
        await WireFrame.SendAsync(accepted, WireTarget.Acknowledge(), patience.Token);
        Assert.Equal("ACK", (await WireFrame.ReadAsync(client, patience.Token)).Type);
        await WireFrame.SendAsync(accepted, WireTarget.Acknowledge(), patience.Token);
        await Assert.ThrowsAnyAsync<SocketException>(async () => await WireFrame.ReadAsync(client, patience.Token));

        Assert.Equal(1, relay.Reached);
        relay.Dispose();
        await Assert.ThrowsAnyAsync<SocketException>(async () => await WireFrame.ReadAsync(accepted, patience.Token));
    }
}
