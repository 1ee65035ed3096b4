using System.Net;
using System.Net.WebSockets;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>WebSockets with the conversation of UA-TCP need no login: they take no place from others (R41, R46).
/// </summary>
public sealed class UacpSocketTests
{
    [Theory]
    [InlineData("MaxHttpWebSockets", 503)]
    [InlineData("MaxHttpWebSocketsPerAddress", 429)]
    public async Task Open_OneTooMany_RefusedUntilTheOtherHasGone(string limit, int status)
    {
        await using var gateway = await RestGateway.StartAsync($"--Limits:{limit}=1");
        using (var first = await OpenAsync(gateway))
        {
            using var refused = new ClientWebSocket();
            refused.Options.AddSubProtocol("opcua+uacp");
            refused.Options.CollectHttpResponseDetails = true;
            await Assert.ThrowsAsync<WebSocketException>(() => ConnectAsync(gateway, refused));
            Assert.Equal(status, (int)refused.HttpStatusCode);
            Assert.Equal(status, await LiveClient.RefusedAsync(gateway, static _ => { }));
            first.Abort();
        }

        await WaitAsync(async () =>
        {
            using var next = new ClientWebSocket();
            next.Options.AddSubProtocol("opcua+uacp");
            try
            {
                await ConnectAsync(gateway, next);
                return true;
            }
            catch (WebSocketException)
            {
                return false;
            }
        });
    }

    /// <summary>They hold both places of their address; the newcomer is of the same one.</summary>
    [Fact]
    public async Task Open_WithoutASession_MakesRoomForANewcomer()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpConnectionsPerAddress=2");
        using var first = await OpenAsync(gateway);
        using var second = await OpenAsync(gateway);

        using var newcomer = new HttpClient { BaseAddress = gateway.Host.Client.BaseAddress };
        using var answer = await newcomer.GetAsync("/livez");

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        await Assert.ThrowsAnyAsync<WebSocketException>(() => first.ReceiveAsync(new byte[100], default)
            .WaitAsync(Patience.Limit));
    }

    /// <summary>The other one has to go, though it is younger.</summary>
    [Fact]
    public async Task Open_WithAnActiveSession_MakesRoomForNobody()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpConnectionsPerAddress=2");
        using var client = new UaClient(new ClientOptions { ConnectTimeout = Patience.Limit });
        await using var session = await client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = new UriBuilder(gateway.Host.Client.BaseAddress!) { Scheme = "opc.ws", Path = "/opcua" }
                .Uri.ToString(),
            SecurityPolicyUri = "http://opcfoundation.org/UA/SecurityPolicy#None",
            SecurityMode = MessageSecurityMode.None,
        });
        using var other = await OpenAsync(gateway);

        using var newcomer = new HttpClient { BaseAddress = gateway.Host.Client.BaseAddress };
        using var answer = await newcomer.GetAsync("/livez");

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        await Assert.ThrowsAnyAsync<WebSocketException>(() => other.ReceiveAsync(new byte[100], default)
            .WaitAsync(Patience.Limit));
        var read = await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = new NodeId(2258), AttributeId = 13 }],
        });
        Assert.Single(read.Results!);
    }

    private static async Task<ClientWebSocket> OpenAsync(RestGateway gateway)
    {
        var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("opcua+uacp");
        await ConnectAsync(gateway, socket);
        return socket;
    }

    private static Task ConnectAsync(RestGateway gateway, ClientWebSocket socket) => socket.ConnectAsync(
        new UriBuilder(gateway.Host.Client.BaseAddress!) { Scheme = "ws", Path = "/opcua" }.Uri,
        CancellationToken.None).WaitAsync(Patience.Limit);

    private static async Task WaitAsync(Func<Task<bool>> condition)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        while (!await condition())
            await look.WaitForNextTickAsync(patience.Token);
    }
}
