using System.Net;
using System.Net.Sockets;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Tests.Support;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace Gateway.Transport.Tests.Conversation;

/// <summary>A transport that offers no door of its own: Kestrel's sockets.</summary>
public sealed class ForeignTransportTests
{
    [Fact]
    public async Task MSG_RequestIsUnfinishedAndThePeerHangsUp_TheRequestIsToldToLeave()
    {
        using var server = new TestServer(echo: true);
        var request = new HeldBack { EndsWhenLeft = true };
        server.Handler.Intercept = (channel, _) => channel.WaitFor(request);
        var sockets = new SocketTransportFactory(
            Options.Create(new SocketTransportOptions()), NullLoggerFactory.Instance);
        await using var listener = await sockets.BindAsync(new IPEndPoint(IPAddress.Loopback, 0));
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(listener.EndPoint);
        await using var accepted = (await listener.AcceptAsync())!;
        Assert.Null(accepted.Features.Get<IConnectionDoor>());
        using var connections = new SocketConnectionContextFactory(
            new SocketConnectionFactoryOptions(), NullLogger.Instance);
        var client = new RawClient(connections.Create(peer), server.Connections.OnConnectedAsync(accepted));
        await client.HelloAndOpenNoneAsync();
        await client.SendMessageAsync(new byte[100]);
        await request.Awaited.WaitAsync(Patience.Limit);
        Assert.False(request.WasLeft);

        await client.Connection.DisposeAsync();
        await client.Ended.WaitAsync(Patience.Limit);
        Assert.True(request.WasLeft);
        Assert.Equal(0, server.Context.Budget.TotalBytes);
        Assert.Equal(0, server.Counters.Connections);
    }
}
