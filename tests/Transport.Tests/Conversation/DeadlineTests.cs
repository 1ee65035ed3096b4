using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class DeadlineTests
{
    [Fact]
    public async Task HEL_Silence_ClosedAtTheDeadlineWithinATenth()
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        server.Time.Advance(TimeSpan.FromSeconds(4.9));
        Assert.Equal(1, server.Counters.Connections);
        server.Time.Advance(TimeSpan.FromSeconds(0.6));

        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.HelloDeadline));
        Assert.Equal(0, server.Counters.Connections);
    }

    [Fact]
    public async Task HEL_OneByteEachSecond_ClosedAtTheSameDeadline()
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        foreach (var one in Wire.Hello().Take(5))
        {
            await client.SendAsync(new[] { one });
            server.Time.Advance(TimeSpan.FromSeconds(1));
        }

        server.Time.Advance(TimeSpan.FromSeconds(0.6));
        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.HelloDeadline));
    }

    [Fact]
    public async Task OPN_Silence_ClosedAtTheDeadline()
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        server.Time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.Equal(1, server.Counters.Connections);
        server.Time.Advance(TimeSpan.FromSeconds(1.1));

        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.OpenDeadline));
    }

    [Fact]
    public async Task OPN_SilenceAfterALateHel_ClosedTenSecondsAfterTheConnection()
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        server.Time.Advance(TimeSpan.FromSeconds(4));
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        server.Time.Advance(TimeSpan.FromSeconds(5.5));
        Assert.Equal(1, server.Counters.Connections);
        server.Time.Advance(TimeSpan.FromSeconds(1.5));

        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.OpenDeadline));
    }

    [Fact]
    public async Task MSG_RestOfAChunkDoesNotCome_Closed()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        (await server.Handler.Opened).HasActiveSession = true;
        var message = Wire.MessageNone(client.ChannelId, client.TokenId, 2, 1, new byte[100]);
        await client.SendAsync(message.AsMemory(0, 50));
        server.Time.Advance(TimeSpan.FromSeconds(9));
        Assert.Equal(1, server.Counters.SecureChannels);
        server.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.ChunkDeadline));
        Assert.Equal((AdmissionStage.Request, RefusalReason.ChunkDeadline), server.LastRefusal);
    }

    [Fact]
    public async Task MSG_NextChunkDoesNotCome_Closed()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        (await server.Handler.Opened).HasActiveSession = true;
        await client.SendMessageAsync(new byte[60_000], ChunkType.Intermediate);
        server.Time.Advance(TimeSpan.FromSeconds(9));
        await client.SendMessageAsync(new byte[100], ChunkType.Intermediate);
        server.Time.Advance(TimeSpan.FromSeconds(9));
        Assert.Equal(1, server.Counters.SecureChannels);
        server.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.ChunkDeadline));
        Assert.Equal(0, server.Context.Budget.TotalBytes);
    }

    [Fact]
    public async Task MSG_ManyChunksBeforeASession_TheMessageHasTheTimeOfOneChunk()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendMessageAsync(new byte[4000], ChunkType.Intermediate);
        server.Time.Advance(TimeSpan.FromSeconds(5));
        await client.SendMessageAsync(new byte[4000], ChunkType.Intermediate);
        server.Time.Advance(TimeSpan.FromSeconds(4));
        await client.SendMessageAsync(new byte[4000], ChunkType.Intermediate);
        Assert.Equal(1, server.Counters.SecureChannels);
        server.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.ChunkDeadline));
        Assert.Equal(0, server.Context.Budget.TotalBytes);
    }

    [Fact]
    public async Task MSG_TricklesWithASession_ClosedSoon()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        (await server.Handler.Opened).HasActiveSession = true;
        for (var i = 0; i < 3; i++)
        {
            await client.SendMessageAsync(new byte[100], ChunkType.Intermediate);
            server.Time.Advance(TimeSpan.FromSeconds(4));
        }

        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.MessageDeadline));
        Assert.Equal((AdmissionStage.Request, RefusalReason.MessageDeadline), server.LastRefusal);
    }

    [Fact]
    public async Task MSG_LargeOverASlowLineWithASession_Passes()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        (await server.Handler.Opened).HasActiveSession = true;
        for (var i = 0; i < 20; i++)
        {
            await client.SendMessageAsync(new byte[60_000], ChunkType.Intermediate);
            server.Time.Advance(TimeSpan.FromSeconds(9));
        }

        await client.SendMessageAsync(new byte[1]);
        Assert.Equal(1_200_001, (await server.Handler.NextAsync()).Message.Length);
    }

    [Fact]
    public async Task MSG_LongerThanTheMessageDeadlineWithASession_Closed()
    {
        using var server = new TestServer(new TransportLimits { MessageDeadline = TimeSpan.FromSeconds(30) });
        var client = await RawClient.OpenNoneAsync(server);
        (await server.Handler.Opened).HasActiveSession = true;
        for (var i = 0; i < 4; i++)
        {
            await client.SendMessageAsync(new byte[60_000], ChunkType.Intermediate);
            server.Time.Advance(TimeSpan.FromSeconds(8));
        }

        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.MessageDeadline));
    }

    [Fact]
    public async Task MSG_EachReadEndsInsideTheNextMessage_EachMessageHasItsOwnTime()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        byte[] waiting = [];
        for (var i = 0u; i < 5; i++)
        {
            var next = Wire.MessageNone(client.ChannelId, client.TokenId, 2 + i, 1 + i, new byte[100]);
            await client.SendAsync(waiting.Concat(next[..50]).ToArray());
            waiting = next[50..];
            server.Time.Advance(TimeSpan.FromSeconds(8));
        }

        await client.SendAsync(waiting);
        for (var i = 0; i < 5; i++)
            await server.Handler.NextAsync();
        Assert.Equal(1, server.Counters.SecureChannels);
    }

    [Fact]
    public async Task Channel_IdleWithoutASession_ClosedAndWithOneKept()
    {
        using var server = new TestServer();
        var idle = await RawClient.OpenNoneAsync(server);
        var busy = await RawClient.OpenNoneAsync(server);
        server.Handler.Channel!.HasActiveSession = true;
        server.Time.Advance(TimeSpan.FromSeconds(67));

        Assert.Equal(StatusCodes.BadTimeout, (await idle.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.Inactive));
        Assert.False(busy.Ended.IsCompleted);
        Assert.Equal(1, server.Counters.SecureChannels);
    }

    [Fact]
    public async Task Close_PeerGoesOnSending_ReadIntoNothingThenClosed()
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync("garbage!"u8.ToArray());
        Assert.Equal((byte)'E', (await client.ReadFrameAsync())[0]);
        await client.SendAsync(new byte[1000]);
        await RenewalTests.UntilAsync(() => server.Counters.Connections == 0);
        Assert.False(client.Ended.IsCompleted);
        server.Time.Advance(TimeSpan.FromSeconds(2));

        await client.Ended.WaitAsync(Patience.Limit);
        await Assert.ThrowsAsync<EndOfStreamException>(client.ReadFrameAsync);
    }

    [Fact]
    public async Task Close_PeerFloodsAfterItsError_ClosedAtTheLingerLimit()
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync("garbage!"u8.ToArray());
        for (var i = 0; i < 17; i++)
            await client.SendAsync(new byte[64 * 1024]);

        await client.Ended.WaitAsync(Patience.Limit);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.MessageTypeInvalid));
    }

    [Fact]
    public async Task Close_PeerDoesNotTakeTheLastBytes_CutOff()
    {
        using var server = new TestServer();
        var (transport, client) = PipeConnectionContext.CreatePair();
        var connection = server.Connections.OnConnectedAsync(transport);
        await client.Transport.Output.WriteAsync("garbage!"u8.ToArray());
        await RenewalTests.UntilAsync(() => server.Counters.Connections == 0);
        server.Time.Advance(TimeSpan.FromSeconds(2));
        await connection.WaitAsync(Patience.Limit);
        Assert.False(transport.Aborted);
        server.Time.Advance(TimeSpan.FromSeconds(10));

        await RenewalTests.UntilAsync(() => transport.Aborted);
        Assert.True(transport.Aborted);
    }
}
