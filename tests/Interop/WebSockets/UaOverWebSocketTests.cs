using System.Net.WebSockets;
using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop.WebSockets;

/// <summary>The conversation of UA-TCP in the frames of a WebSocket: directly, and through a HAProxy that ends TLS.
/// </summary>
public sealed class UaOverWebSocketTests(WebSocketFixture fixture) : IClassFixture<WebSocketFixture>
{
    private const string PolicyPrefix = "http://opcfoundation.org/UA/SecurityPolicy#";
    private const string Profile = "http://opcfoundation.org/UA-Profile/Transport/wss-uasc-uabinary";
    private const ushort Namespace = 2;

    [Theory]
    [InlineData("/opcua", "None", MessageSecurityMode.None)]
    [InlineData("", "None", MessageSecurityMode.None)]
    [InlineData("/opcua", "Basic256Sha256", MessageSecurityMode.SignAndEncrypt)]
    public Task Session_Directly_ReadsWritesAndWatches(string path, string policy, MessageSecurityMode mode) =>
        UseAsync($"opc.ws://127.0.0.1:{fixture.Gateway.HttpPort}{path}", policy, mode);

    [PeerTheory(PeerProgram.Haproxy)]
    [InlineData("/opcua", "None", MessageSecurityMode.None)]
    [InlineData("", "Aes256_Sha256_RsaPss", MessageSecurityMode.SignAndEncrypt)]
    public Task Session_ThroughTls_ReadsWritesAndWatches(string path, string policy, MessageSecurityMode mode) =>
        UseAsync($"opc.wss://127.0.0.1:{fixture.TlsPort}{path}", policy, mode);

    [Fact]
    public async Task GetEndpoints_OverAWebSocket_OffersTheSameScheme()
    {
        string url = $"opc.ws://127.0.0.1:{fixture.Gateway.HttpPort}";

        EndpointDescription[] endpoints = await fixture.Client.GetEndpointsAsync(url + "/opcua");

        Assert.NotEmpty(endpoints);
        Assert.All(endpoints, endpoint => Assert.Equal(
            (url, Profile), (endpoint.EndpointUrl, endpoint.TransportProfileUri)));
    }

    /// <summary>Chunks that come as text are none.</summary>
    [Fact]
    public async Task Frame_Text_1003()
    {
        using ClientWebSocket socket = await OpenAsync("opcua+uacp");

        await socket.SendAsync("HELF"u8.ToArray(), WebSocketMessageType.Text, true, CancellationToken.None);

        Assert.Equal(WebSocketCloseStatus.InvalidMessageType, await CloseOfAsync(socket));
    }

    /// <summary>As on UA-TCP: the fault is told, then the connection ends.</summary>
    [Fact]
    public async Task Frame_NoMessageOfUaTcp_ErrorMessageThenClose()
    {
        using ClientWebSocket socket = await OpenAsync("opcua+uacp");
        byte[] answer = new byte[1000];

        await socket.SendAsync(
            "XYZF\u0010\0\0\0abcdefgh"u8.ToArray(), WebSocketMessageType.Binary, true, CancellationToken.None);

        WebSocketReceiveResult part = await socket.ReceiveAsync(answer, CancellationToken.None)
            .WaitAsync(Patience.Limit);
        Assert.Equal(WebSocketMessageType.Binary, part.MessageType);
        Assert.Equal("ERRF"u8.ToArray(), answer[..4]);
        await CloseOfAsync(socket);
    }

    [Fact]
    public async Task Open_SubProtocolOfNobody_IsRefused()
    {
        WebSocketException refused = await Assert.ThrowsAsync<WebSocketException>(() => OpenAsync("mqtt"));

        Assert.Contains("400", refused.Message, StringComparison.Ordinal);
    }

    private async Task UseAsync(string url, string policy, MessageSecurityMode mode)
    {
        await using ClientSession session = await fixture.Client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = url,
            SecurityPolicyUri = PolicyPrefix + policy,
            SecurityMode = mode,
        });

        Assert.Equal(new Variant(0), (await ReadAsync(session, new NodeId(2259)))[0].Value);
        int written = Random.Shared.Next();
        WriteResponse response = await session.InvokeAsync<WriteRequest, WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = new NodeId("Int32", Namespace), AttributeId = (uint)AttributeId.Value,
                    Value = new DataValue(new Variant(written)),
                },
            ],
        });
        Assert.True(Assert.Single(response.Results!).IsGood);
        // Many chunks each way.
        DataValue[] values = await ReadAsync(
            session, [.. Enumerable.Repeat(new NodeId("Int32", Namespace), 10_000)]);
        Assert.All(values, value => Assert.Equal(new Variant(written), value.Value));
        await WatchAsync(session, items: 20, valuesEach: 5);
    }

    private static async Task<DataValue[]> ReadAsync(ClientSession session, params NodeId[] nodes)
    {
        ReadResponse response = await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
        {
            TimestampsToReturn = TimestampsToReturn.Both,
            NodesToRead =
            [
                .. nodes.Select(node => new ReadValueId { NodeId = node, AttributeId = (uint)AttributeId.Value }),
            ],
        });
        return response.Results!;
    }

    private static async Task WatchAsync(ClientSession session, int items, int valuesEach)
    {
        CounterHandler counters = new(items, valuesEach);
        ClientSubscription subscription = await session.CreateSubscriptionAsync(
            new SubscriptionSettings { PublishingIntervalMs = 100 }, counters);
        MonitoredItemCreateResult[] results = await subscription.CreateMonitoredItemsAsync(
        [
            .. Enumerable.Range(0, items).Select(item => new MonitoredItemCreateRequest
            {
                ItemToMonitor = new ReadValueId
                {
                    NodeId = new NodeId((uint)(1000 + item), Namespace), AttributeId = (uint)AttributeId.Value,
                },
                MonitoringMode = MonitoringMode.Reporting,
                RequestedParameters = new MonitoringParameters
                {
                    ClientHandle = (uint)item, SamplingInterval = 0, QueueSize = 1000, DiscardOldest = true,
                },
            }),
        ]);
        Assert.All(results, result => Assert.True(result.StatusCode.IsGood));
        await counters.Done.WaitAsync(Patience.Limit);
        Assert.Equal(0, counters.Wrong);
        await subscription.DeleteAsync();
    }

    private async Task<ClientWebSocket> OpenAsync(string protocol)
    {
        ClientWebSocket socket = new();
        socket.Options.AddSubProtocol(protocol);
        await socket.ConnectAsync(
            new Uri($"ws://127.0.0.1:{fixture.Gateway.HttpPort}/opcua"), CancellationToken.None)
            .WaitAsync(Patience.Limit);
        return socket;
    }

    private static async Task<WebSocketCloseStatus?> CloseOfAsync(ClientWebSocket socket)
    {
        byte[] buffer = new byte[1000];
        while (true)
        {
            WebSocketReceiveResult part = await socket.ReceiveAsync(buffer, CancellationToken.None)
                .WaitAsync(Patience.Limit);
            if (part.MessageType == WebSocketMessageType.Close)
                return part.CloseStatus;
        }
    }
}
