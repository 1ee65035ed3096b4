using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class MalformedTests
{
    public static TheoryData<string, byte[], uint> First => new()
    {
        { "unknown type", "XYZF\u0010\0\0\0........"u8.ToArray(), StatusCodes.BadTcpMessageTypeInvalid },
        { "TLS hello", [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3], StatusCodes.BadTcpMessageTypeInvalid },
        { "HTTP", "GET / HTTP/1.1\r\n\r\n"u8.ToArray(), StatusCodes.BadTcpMessageTypeInvalid },
        { "size 0", "HELF\0\0\0\0"u8.ToArray(), StatusCodes.BadDecodingError },
        { "size 7", "HELF\u0007\0\0\0"u8.ToArray(), StatusCodes.BadDecodingError },
        { "HEL not final", Wire.Frame(MessageKind.Hello, new byte[24], ChunkType.Intermediate),
            StatusCodes.BadTcpMessageTypeInvalid },
        { "HEL cut", Wire.Frame(MessageKind.Hello, new byte[20]), StatusCodes.BadDecodingError },
        { "HEL small buffers", Wire.Hello(buffers: 8191), StatusCodes.BadTcpNotEnoughResources },
        { "HEL other scheme", Wire.Hello(url: "http://x"), StatusCodes.BadTcpEndpointUrlInvalid },
        { "HEL no URL", Wire.Hello(url: null), StatusCodes.BadTcpEndpointUrlInvalid },
        { "HEL long URL", Wire.Hello(url: "opc.tcp://" + new string('x', 5000)), StatusCodes.BadTcpEndpointUrlInvalid },
        { "ACK", Wire.Frame(MessageKind.Acknowledge, new byte[20]), StatusCodes.BadTcpMessageTypeInvalid },
        { "RHE", Wire.Frame(MessageKind.ReverseHello, new byte[20]), StatusCodes.BadTcpMessageTypeInvalid },
        { "OPN", Wire.OpenNone(0, 1), StatusCodes.BadTcpMessageTypeInvalid },
        { "MSG", Wire.MessageNone(1, 1, 1, 1, new byte[8]), StatusCodes.BadTcpMessageTypeInvalid },
    };

    public static TheoryData<string, byte[], uint> AfterHello => new()
    {
        { "HEL again", Wire.Hello(), StatusCodes.BadTcpMessageTypeInvalid },
        { "MSG", Wire.MessageNone(1, 1, 1, 1, new byte[8]), StatusCodes.BadTcpSecureChannelUnknown },
        { "CLO", Wire.MessageNone(1, 1, 1, 1, new byte[8], kind: MessageKind.CloseSecureChannel),
            StatusCodes.BadTcpSecureChannelUnknown },
        { "OPN header only", Wire.Frame(MessageKind.OpenSecureChannel, []), StatusCodes.BadDecodingError },
        { "OPN cut", Wire.Frame(MessageKind.OpenSecureChannel, new byte[20]), StatusCodes.BadSecurityPolicyRejected },
        { "OPN of another channel", Wire.OpenNone(77, 1), StatusCodes.BadTcpSecureChannelUnknown },
        { "OPN renews nothing", Wire.OpenNone(0, 1, SecurityTokenRequestType.Renew),
            StatusCodes.BadRequestTypeInvalid },
        { "OPN not final", [.. "OPNC"u8, .. Wire.OpenNone(0, 1)[4..]], StatusCodes.BadTcpMessageTypeInvalid },
        { "OPN too large", Wire.Frame(MessageKind.OpenSecureChannel, new byte[30_000]),
            StatusCodes.BadTcpMessageTooLarge },
        { "OPN without a body", new AsymmetricSealer { Policy = SecurityPolicies.None }.Seal(0, 1, 1, []),
            StatusCodes.BadDecodingError },
        { "OPN None with a secure mode", new AsymmetricSealer { Policy = SecurityPolicies.None }
            .Seal(0, 1, 1, Wire.OpenBody(SecurityTokenRequestType.Issue, MessageSecurityMode.Sign)),
            StatusCodes.BadSecurityModeRejected },
    };

    public static TheoryData<string, byte[]> BadSeals
    {
        get
        {
            var sealer = Wire.Sealer(SecurityPolicies.Basic256Sha256, TestCertificates.Client, TestCertificates.Server);
            var body = Wire.OpenBody(SecurityTokenRequestType.Issue, MessageSecurityMode.Sign, Wire.Nonce());
            var good = sealer.Seal(0, 1, 1, body);
            var flipped = good.ToArray();
            flipped[^1] ^= 1;
            var cut = good[..^1];
            BitConverter.TryWriteBytes(cut.AsSpan(4), cut.Length);
            var forged = Wire.Sealer(
                SecurityPolicies.Basic256Sha256, TestCertificates.Get("forger"), TestCertificates.Server);
            var stolen = new AsymmetricSealer
            {
                Policy = forged.Policy,
                SenderCertificate = TestCertificates.Client.Der,
                ReceiverThumbprint = forged.ReceiverThumbprint,
                PrivateKey = forged.PrivateKey,
                PeerKey = forged.PeerKey,
            };
            var elsewhere = Wire.Sealer(
                SecurityPolicies.Basic256Sha256, TestCertificates.Client, TestCertificates.Get("forger"));
            return new TheoryData<string, byte[]>
            {
                { "flipped bit", flipped },
                { "cut block", cut },
                { "signed by another", stolen.Seal(0, 1, 1, body) },
                { "for another server", elsewhere.Seal(0, 1, 1, body) },
            };
        }
    }

    [Theory]
    [MemberData(nameof(First))]
    public async Task FirstMessage_Wrong_ErrWithTheRightCode(string what, byte[] bytes, uint expected)
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync(bytes);

        Assert.True(expected == (await client.ReadErrorAsync()).Code, what);
        Assert.Equal(0, server.Counters.Connections);
        Assert.Equal((AdmissionStage.Hello, ReasonOf(expected)), server.LastRefusal);
    }

    [Theory]
    [MemberData(nameof(AfterHello))]
    public async Task SecondMessage_Wrong_ErrWithTheRightCode(string what, byte[] bytes, uint expected)
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        await client.SendAsync(bytes);

        var error = await client.ReadErrorAsync();
        Assert.True(expected == error.Code, what + ": " + error);
        Assert.Equal((AdmissionStage.Open, ReasonOf(expected)), server.LastRefusal);
    }

    /// <summary>In the operator's list.</summary>
    private static RefusalReason ReasonOf(uint status) => status switch
    {
        StatusCodes.BadTcpEndpointUrlInvalid => RefusalReason.EndpointUrlInvalid,
        StatusCodes.BadTcpMessageTooLarge => RefusalReason.MessageTooLarge,
        StatusCodes.BadSecurityPolicyRejected or StatusCodes.BadSecurityModeRejected => RefusalReason.SecurityRefused,
        _ => RefusalReason.Malformed,
    };

    [Theory]
    [MemberData(nameof(BadSeals))]
    public async Task OPN_SealedWrongly_SameAnswerWhateverTheCause(string what, byte[] bytes)
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        await client.SendAsync(bytes);

        Assert.True(StatusCodes.BadSecurityChecksFailed == (await client.ReadErrorAsync()).Code, what);
        Assert.Equal("Security checks failed", client.LastReason);
    }

    [Theory]
    [InlineData(31)]
    [InlineData(33)]
    [InlineData(0)]
    public async Task OPN_NonceOfAnotherLength_NonceInvalid(int length)
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        var body = Wire.OpenBody(SecurityTokenRequestType.Issue, MessageSecurityMode.Sign, new byte[length]);
        await client.SendAsync(
            Wire.Sealer(SecurityPolicies.Aes256Sha256RsaPss, TestCertificates.Client, TestCertificates.Server)
                .Seal(0, 1, 1, body));

        Assert.Equal(StatusCodes.BadNonceInvalid, (await client.ReadErrorAsync()).Code);
    }

    [Fact]
    public async Task MSG_OfAnotherChannelOrToken_Refused()
    {
        using var server = new TestServer();
        var one = await RawClient.OpenNoneAsync(server);
        await one.SendMessageAsync(new byte[8], channelId: one.ChannelId + 1);
        Assert.Equal(StatusCodes.BadTcpSecureChannelUnknown, (await one.ReadErrorAsync()).Code);

        var other = await RawClient.OpenNoneAsync(server);
        await other.SendMessageAsync(new byte[8], tokenId: 99);
        Assert.Equal(StatusCodes.BadSecureChannelTokenUnknown, (await other.ReadErrorAsync()).Code);
        Assert.Equal(0, server.Handler.Count);
    }

    [Fact]
    public async Task MSG_ChunksOfTwoMessagesMixed_Refused()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendMessageAsync(new byte[8], ChunkType.Intermediate, requestId: 1);
        await client.SendMessageAsync(new byte[8], requestId: 2);

        Assert.Equal(StatusCodes.BadDecodingError, (await client.ReadErrorAsync()).Code);
    }

    [Fact]
    public async Task MSG_HandlerThrows_InternalErrorWithoutInternals()
    {
        using var server = new TestServer();
        server.Handler.Intercept = (_, _) => throw new InvalidOperationException("secret");
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendMessageAsync(new byte[8]);

        Assert.Equal(StatusCodes.BadTcpInternalError, (await client.ReadErrorAsync()).Code);
        Assert.Equal("Internal error", client.LastReason);
        Assert.Single(server.Handler.Closes);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.InternalError));
    }

    [Fact]
    public async Task ERR_FromThePeer_ClosedAndCounted()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendAsync(Wire.Frame(MessageKind.Error, [0, 0, 0x80, 0x80, 255, 255, 255, 255]));

        await client.Ended.WaitAsync(Patience.Limit);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.PeerError));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Peer_VanishesBetweenOrInsideMessages_EverythingIsFreed(bool inside)
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        if (inside)
            await client.SendAsync(
                Wire.MessageNone(client.ChannelId, client.TokenId, 2, 1, new byte[99]).AsMemory(0, 60));
        await client.Connection.DisposeAsync();
        await client.Ended.WaitAsync(Patience.Limit);

        Assert.Equal(1, server.Counters.Closes(
            inside ? ChannelCloseReason.ConnectionLost : ChannelCloseReason.PeerClosed));
        Assert.Equal((0, 0), (server.Counters.Connections, server.Counters.SecureChannels));
        Assert.Equal(0, server.Connections.ConnectionCount);
        Assert.Equal(0, server.Context.Budget.TotalBytes);
        Assert.Single(server.Handler.Closes);
    }

    [Fact]
    public async Task CloseAll_Connections_ShutdownIsSaid()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        server.Connections.CloseAll();

        Assert.Equal(StatusCodes.BadShutdown, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.Shutdown));
    }
}
