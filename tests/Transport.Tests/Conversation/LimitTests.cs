using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class LimitTests
{
    [Theory]
    [InlineData(65537u)]
    [InlineData(0x7FFFFFFFu)]
    [InlineData(0xFFFFFFFFu)]
    public async Task MSG_DeclaredOverTheReceiveBuffer_RefusedByItsHeader(uint size)
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        var header = Wire.Frame(MessageKind.Message, []);
        BitConverter.TryWriteBytes(header.AsSpan(4), size);
        await client.SendAsync(header);

        Assert.Equal(StatusCodes.BadTcpMessageTooLarge, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.MessageTooLarge));
        Assert.Equal((AdmissionStage.Request, RefusalReason.MessageTooLarge), server.LastRefusal);
    }

    /// <summary>An OPN of Basic256Sha256 by keys of 2,048 bits is two blocks long.</summary>
    [Theory]
    [InlineData(2, true)]
    [InlineData(1, false)]
    public async Task OPN_MoreThanMaxAsymmetricBlocks_Refused(int most, bool isTaken)
    {
        using var server = new TestServer(new TransportLimits
        {
            MaxAsymmetricBlocks = most,
            FailureAnswerStep = TimeSpan.Zero,
        });
        var opening = server.OpenAsync(SecurityPolicies.Basic256Sha256, MessageSecurityMode.Sign);

        if (isTaken)
        {
            await opening;
            return;
        }

        var refusal = await Assert.ThrowsAsync<ChannelConnectException>(() => opening);
        await server.Ended.WaitAsync(Patience.Limit);
        Assert.Equal(StatusCodes.BadSecurityChecksFailed, refusal.Status.Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.SecurityChecksFailed));
    }

    [Fact]
    public async Task MSG_BeforeASession_MessageSizeIsLimitedAtTheHeaderOfTheChunk()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendMessageAsync(new byte[35_000], ChunkType.Intermediate);
        // Only the header of the next chunk: it is enough to refuse.
        await client.SendAsync(
            Wire.MessageNone(client.ChannelId, client.TokenId, 3, 5, new byte[7_000]).AsMemory(0, 8));

        Assert.Equal(StatusCodes.BadTcpMessageTooLarge, (await client.ReadErrorAsync()).Code);
        Assert.Equal(0, server.Context.Budget.TotalBytes);
    }

    [Fact]
    public async Task MSG_BeforeASession_MessageOfJustTheLimitPasses()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendMessageAsync(new byte[30_000], ChunkType.Intermediate);
        await client.SendMessageAsync(new byte[40_960 - 30_000]);

        Assert.Equal(40_960, (await server.Handler.NextAsync()).Message.Length);
    }

    [Fact]
    public async Task MSG_BeforeASession_ChunkCountIsLimited()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        for (var i = 0; i < 16; i++)
            await client.SendMessageAsync(ReadOnlyMemory<byte>.Empty, ChunkType.Intermediate);
        await client.SendMessageAsync(new byte[1]);

        Assert.Equal(StatusCodes.BadTcpMessageTooLarge, (await client.ReadErrorAsync()).Code);
        Assert.Equal(0, server.Handler.Count);
    }

    [Fact]
    public async Task MSG_WithASession_LimitsAreLifted()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        (await server.Handler.Opened).HasActiveSession = true;
        for (var i = 0; i < 20; i++)
            await client.SendMessageAsync(new byte[60_000], ChunkType.Intermediate);
        Assert.True(server.Context.Budget.TotalBytes >= 1_200_000);
        await client.SendMessageAsync(new byte[1]);

        Assert.Equal(1_200_001, (await server.Handler.NextAsync()).Message.Length);
        Assert.Equal(0, server.Context.Budget.TotalBytes);
    }

    [Fact]
    public async Task MSG_OverTheLimitWithASession_TooLarge()
    {
        using var server = new TestServer(new TransportLimits { MaxMessageSizeBytes = 100_000 });
        var client = await RawClient.OpenNoneAsync(server);
        (await server.Handler.Opened).HasActiveSession = true;
        await client.SendMessageAsync(new byte[60_000], ChunkType.Intermediate);
        await client.SendMessageAsync(new byte[60_000]);

        Assert.Equal(StatusCodes.BadTcpMessageTooLarge, (await client.ReadErrorAsync()).Code);
    }

    [Fact]
    public async Task HEL_Acknowledged_TheNumbersToldAreTheEnforcedOnes()
    {
        using var server = new TestServer(new TransportLimits
        {
            ReceiveBufferSizeBytes = 32 * 1024,
            SendBufferSizeBytes = 16 * 1024,
            MaxMessageSizeBytes = 100_000,
            MaxChunkCount = 20,
        });
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        var told = ReadAcknowledge(await client.ReadFrameAsync());
        Assert.Equal(new TransportSizes(32 * 1024, 16 * 1024, 100_000, 20), told);
        await client.OpenNoneAsync(SecurityTokenRequestType.Issue);
        (await server.Handler.Opened).HasActiveSession = true;

        var chunk = new byte[told.ReceiveBufferSize - MessageLayout.Headroom];
        var left = (int)told.MaxMessageSize;
        for (; left > chunk.Length; left -= chunk.Length)
            await client.SendMessageAsync(chunk, ChunkType.Intermediate);
        await client.SendMessageAsync(new byte[left]);
        Assert.Equal((int)told.MaxMessageSize, (await server.Handler.NextAsync()).Message.Length);
        await client.SendMessageAsync(new byte[chunk.Length + 1]);
        Assert.Equal(StatusCodes.BadTcpMessageTooLarge, (await client.ReadErrorAsync()).Code);
    }

    private static TransportSizes ReadAcknowledge(byte[] frame)
    {
        var reader = new UaBinaryReader(frame.AsSpan(MessageLayout.MessageHeaderSize));
        Assert.Equal(0u, reader.ReadUInt32());
        return TransportSizes.Read(ref reader);
    }

    [Fact]
    public async Task MSG_HalfReceivedOverTheBudget_LargestIsClosed()
    {
        using var server = new TestServer(new TransportLimits
        {
            MemoryBudgetBytes = 100_000,
            MaxMessageSizeBeforeSessionBytes = 64 * 1024,
        });
        var one = await RawClient.OpenNoneAsync(server);
        var other = await RawClient.OpenNoneAsync(server);
        await one.SendMessageAsync(new byte[60_000], ChunkType.Intermediate);
        await other.SendMessageAsync(new byte[20_000], ChunkType.Intermediate);

        await one.Ended.WaitAsync(Patience.Limit);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.MemoryBudget));
        Assert.Equal((AdmissionStage.Request, RefusalReason.MemoryBudget), server.LastRefusal);
        // The array that holds them, not they (R43).
        Assert.Equal(32 * 1024, server.Context.Budget.TotalBytes);
        Assert.False(other.Ended.IsCompleted);
    }

    [Fact]
    public async Task Abort_InsideAMessage_DropsItAndTheNextOneWorks()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendMessageAsync(new byte[35_000], ChunkType.Intermediate);
        var body = Wire.Body((ref Gateway.Codec.Binary.UaBinaryWriter w) =>
            new ErrorMessage(StatusCodes.BadRequestTooLarge, "never mind").Write(ref w));
        await client.SendMessageAsync(body, ChunkType.Abort);
        await client.SendMessageAsync(new byte[35_000]);

        Assert.Equal(35_000, (await server.Handler.NextAsync()).Message.Length);
        Assert.Equal([(5u, new StatusCode(StatusCodes.BadRequestTooLarge))], server.Handler.Aborts);
        Assert.Equal(1, server.Handler.Count);
    }

    [Fact]
    public async Task Connect_AtTheCap_OldestWithoutASessionMakesRoom()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 3 });
        var active = await RawClient.OpenNoneAsync(server);
        server.Handler.Channel!.HasActiveSession = true;
        var oldest = await RawClient.OpenNoneAsync(server);
        var younger = await RawClient.OpenNoneAsync(server);
        var newest = await RawClient.OpenNoneAsync(server);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await oldest.ReadErrorAsync()).Code);
        Assert.StartsWith("RetryAfterMs=", oldest.LastReason, StringComparison.Ordinal);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.Recycled));
        Assert.Equal(1, server.Context.Admission.Stages.Shedded(AdmissionStage.Open, RefusalReason.Recycled));
        Assert.False(active.Ended.IsCompleted || younger.Ended.IsCompleted || newest.Ended.IsCompleted);
        Assert.Equal(3, server.Connections.ConnectionCount);
    }

    [Fact]
    public async Task Connect_AtTheCapOfActiveSessions_TooBusyWithRetryAfter()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 2 });
        for (var i = 0; i < 2; i++)
        {
            await RawClient.OpenNoneAsync(server);
            server.Handler.Channel!.HasActiveSession = true;
        }

        var refused = new RawClient(server);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await refused.ReadErrorAsync()).Code);
        Assert.StartsWith("RetryAfterMs=", refused.LastReason, StringComparison.Ordinal);
        Assert.Equal(2, server.Counters.SecureChannels);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.TooManyConnections));
    }

    [Fact]
    public async Task OPN_PrivateKeyLaneFull_TooBusy()
    {
        using var server = new TestServer(new TransportLimits { MaxPrivateKeyQueueLength = 0 });
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        var body = Wire.OpenBody(
            Gateway.Codec.Structures.SecurityTokenRequestType.Issue,
            Gateway.Codec.Structures.MessageSecurityMode.Sign, Wire.Nonce());
        await client.SendAsync(
            Wire.Sealer(SecurityPolicies.Basic256Sha256, TestCertificates.Client, TestCertificates.Server)
                .Seal(0, 1, 1, body));

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await client.ReadErrorAsync()).Code);
        Assert.StartsWith("RetryAfterMs=", client.LastReason, StringComparison.Ordinal);
        Assert.Equal(1, server.Counters.PrivateKeyRefusals);
    }
}
