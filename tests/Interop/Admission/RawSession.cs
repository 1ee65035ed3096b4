using System.Net;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Interop.BadInput;
using Gateway.Interop.Gateways;

namespace Gateway.Interop.Admission;

/// <summary>A client without security that goes as far as it is told, message by message.</summary>
internal sealed class RawSession : IDisposable
{
    private const int PayloadAt = 24;
    /// <summary>For sessions that must not end by themselves.</summary>
    public const double LongTimeoutMs = 3_600_000;

    /// <summary>What a test leaves behind is gone soon.</summary>
    public const double ShortTimeoutMs = 3_000;

    private readonly GatewayProcess gateway;
    private uint channel;
    private uint token;
    private uint sequence = 1;
    private NodeId session;

    private RawSession(GatewayProcess gateway, RawPeer peer)
    {
        this.gateway = gateway;
        Peer = peer;
    }

    public RawPeer Peer { get; }

    public static async Task<RawSession> ConnectAsync(GatewayProcess gateway, IPAddress from) =>
        new(gateway, await RawPeer.ConnectAsync(gateway.Port, from));

    public void Dispose() => Peer.Dispose();

    /// <summary>Up to that state and no further: an answer that belongs to a later one is not read. False: its session
    /// was over before.</summary>
    public async Task<bool> GoToAsync(HandshakeState state, double sessionTimeoutMs = ShortTimeoutMs)
    {
        byte[] hello = Uacp.Hello(gateway.EndpointUrl);
        if (state == HandshakeState.Connected)
            return true;
        if (state == HandshakeState.HelloCut)
        {
            await Peer.SendAsync(hello[..(hello.Length / 2)]);
            return true;
        }

        if (state == HandshakeState.HelloSent)
        {
            await Peer.SendAsync(hello);
            return true;
        }

        if (state is HandshakeState.Acknowledged or HandshakeState.OpenSent)
        {
            await Peer.SendAsync(hello);
            Assert.Equal("ACKF", RawPeer.Type(await Peer.ReceiveAsync()));
            if (state == HandshakeState.OpenSent)
                await Peer.SendAsync(Uacp.Open());
            return true;
        }

        await OpenAsync();
        if (state == HandshakeState.Opened)
            return true;
        await SendAsync(CreateRequest(sessionTimeoutMs));
        if (state == HandshakeState.CreateSent)
            return true;
        session = (await ReceiveAsync<CreateSessionResponse>()).AuthenticationToken;
        if (state == HandshakeState.Created)
            return true;
        await SendAsync(ActivateRequest());
        if (state == HandshakeState.ActivateSent)
            return true;
        return await HasSessionAsync() &&
            (state != HandshakeState.Subscribed || await SubscribeAsync(sessionTimeoutMs));
    }

    public async Task OpenAsync() => (channel, token) = await Peer.OpenAsync(gateway.EndpointUrl);

    /// <summary>All at once.</summary>
    public Task SendAsync(params IServiceRequest[] requests) => Peer.SendAsync([.. requests.SelectMany(
        request => Uacp.Message(channel, token, ++sequence, Uacp.Request(request, session)))]);

    /// <summary>All chunks of a large request but the last, which is returned.</summary>
    public async Task<byte[]> SendMostAsync(IServiceRequest request)
    {
        const int chunkBytes = 60_000;
        byte[] whole = Uacp.Request(request, session);
        uint requestId = sequence + 1;
        int at = 0;
        for (; whole.Length - at > chunkBytes; at += chunkBytes)
            await Peer.SendAsync(
                Uacp.Message(channel, token, ++sequence, whole[at..(at + chunkBytes)], "MSGC", requestId));
        return Uacp.Message(channel, token, ++sequence, whole[at..], requestId: requestId);
    }

    /// <summary>Fails on every other answer.</summary>
    public async Task<TResponse> ReceiveAsync<TResponse>()
        where TResponse : IStructure<TResponse>
    {
        byte[]? frame = await Peer.ReceiveAsync();
        Assert.Equal("MSGF", RawPeer.Type(frame));
        return Decode<TResponse>(frame!);
    }

    public async Task<ResponseHeader> AskAsync(IServiceRequest request)
    {
        await SendAsync(request);
        return await ReceiveHeaderAsync();
    }

    /// <summary>One more session on this channel; the one before goes on without being spoken of.</summary>
    public async Task ActivateAnotherAsync()
    {
        await SendAsync(CreateRequest(LongTimeoutMs));
        session = (await ReceiveAsync<CreateSessionResponse>()).AuthenticationToken;
        await SendAsync(ActivateRequest());
        await ReceiveAsync<ActivateSessionResponse>();
    }

    /// <summary>Leaves its subscriptions behind.</summary>
    public async Task DetachAsync()
    {
        await SendAsync(new CloseSessionRequest { DeleteSubscriptions = false });
        await ReceiveAsync<CloseSessionResponse>();
        Dispose();
    }

    /// <summary>The session and, with it, its place.</summary>
    public async Task CloseAsync()
    {
        await SendAsync(new CloseSessionRequest { DeleteSubscriptions = true });
        await ReceiveAsync<CloseSessionResponse>();
        Dispose();
    }

    /// <summary>The header of the next answer, whatever it is.</summary>
    public async Task<ResponseHeader> ReceiveHeaderAsync()
    {
        byte[]? frame = await Peer.ReceiveAsync();
        Assert.Equal("MSGF", RawPeer.Type(frame));
        UaBinaryReader reader = new(frame.AsSpan(PayloadAt));
        reader.ReadNodeId();
        ResponseHeader header = ResponseHeader.Decode(ref reader);
        Assert.False(reader.Failed);
        return header;
    }

    public CreateSessionRequest CreateRequest(double timeoutMs = ShortTimeoutMs) => new()
    {
        ClientDescription = new ApplicationDescription
        {
            ApplicationUri = "urn:interop:raw",
            ApplicationName = new LocalizedText("raw"),
            ApplicationType = ApplicationType.Client,
        },
        EndpointUrl = gateway.EndpointUrl,
        SessionName = "raw",
        ClientNonce = new byte[32],
        RequestedSessionTimeout = timeoutMs,
    };

    public static ActivateSessionRequest ActivateRequest() => new();

    /// <summary>A subscription that lives half as long as the session.</summary>
    private async Task<bool> SubscribeAsync(double sessionTimeoutMs)
    {
        const double interval = 50;
        await SendAsync(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = interval,
            RequestedLifetimeCount = (uint)(sessionTimeoutMs / 2 / interval),
            RequestedMaxKeepAliveCount = 10,
            PublishingEnabled = true,
        });
        if (!await HasSessionAsync())
            return false;
        await SendAsync(new PublishRequest());
        return true;
    }

    /// <summary>The next answer is no fault, or that of a session that is over.</summary>
    private async Task<bool> HasSessionAsync()
    {
        StatusCode result = (await ReceiveHeaderAsync()).ServiceResult;
        Assert.True(result.IsGood || result.CodeBits == StatusCodes.BadSessionIdInvalid, $"{result}");
        return result.IsGood;
    }

    private static TResponse Decode<TResponse>(byte[] frame)
        where TResponse : IStructure<TResponse>
    {
        UaBinaryReader reader = new(frame.AsSpan(PayloadAt));
        NodeId type = reader.ReadNodeId();
        TResponse response = TResponse.Decode(ref reader);
        Assert.True(!reader.Failed && type.Numeric == response.BinaryEncodingId, $"{type} instead of a response");
        return response;
    }
}
