using Gateway.Admission.Stages;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class SendTests
{
    [Fact]
    public async Task Send_LargerThanThePeerTakes_NothingIsSentAndTheBufferStays()
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello(buffers: 8192, maxMessage: 20_000, maxChunks: 2));
        await client.ReadFrameAsync();
        await client.OpenNoneAsync(SecurityTokenRequestType.Issue);
        var channel = await server.Handler.Opened;

        Assert.Equal(2 * (8192 - 24), channel.MaxResponseSizeBytes);
        using var buffer = new PooledBuffer(MessageLayout.Headroom);
        buffer.Write(new byte[2 * (8192 - 24) + 1]);
        Assert.Equal(StatusCodes.BadResponseTooLarge, channel.Send(buffer, 1).Code);
        Assert.Equal(2 * (8192 - 24) + 1, buffer.Length);

        Assert.Equal(StatusCode.Good, Send(channel, new byte[2 * (8192 - 24)], 1));
        var first = await client.ReadFrameAsync();
        var second = await client.ReadFrameAsync();
        Assert.Equal(('C', 8192), ((char)first[3], first.Length));
        Assert.Equal(('F', 8192), ((char)second[3], second.Length));
    }

    [Fact]
    public async Task SendAbort_InsteadOfAnAnswer_ClientIsToldTheStatus()
    {
        using var server = new TestServer();
        var (_, handler) = await server.OpenAsync(SecurityPolicies.Basic256Sha256, MessageSecurityMode.SignAndEncrypt);
        var channel = await server.Handler.Opened;

        channel.SendAbort(9, StatusCodes.BadResponseTooLarge, "too large");
        Send(channel, new byte[5], 10);

        Assert.Equal(10u, (await handler.NextAsync()).RequestId);
        Assert.Equal([(9u, new StatusCode(StatusCodes.BadResponseTooLarge))], handler.Aborts);
    }

    [Fact]
    public async Task Send_FromManyThreads_EveryMessageArrivesInOrderOfItsNumber()
    {
        using var server = new TestServer();
        var (_, handler) = await server.OpenAsync(SecurityPolicies.Basic256Sha256, MessageSecurityMode.SignAndEncrypt);
        var channel = await server.Handler.Opened;
        await Task.WhenAll(Enumerable.Range(0, 4).Select(thread => Task.Run(() =>
        {
            for (var i = 0; i < 500; i++)
                Send(channel, BitConverter.GetBytes(thread * 1000 + i), 1);
        })));

        var last = new int[] { -1, -1, -1, -1 };
        for (var i = 0; i < 2000; i++)
        {
            var value = BitConverter.ToInt32((await handler.NextAsync()).Message);
            Assert.Equal(last[value / 1000] + 1, value % 1000);
            last[value / 1000] = value % 1000;
        }

        Assert.True(channel.IsOpen);
    }

    [Fact]
    public async Task Send_PeerDoesNotRead_WaitsThenClosesAtTheWriteDeadline()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        var channel = await server.Handler.Opened;
        channel.HasActiveSession = true;
        for (var i = 0; i < 10; i++)
            Assert.Equal(StatusCode.Good, Send(channel, new byte[30_000], 1));
        Assert.True(server.Context.Budget.TotalBytes > 64 * 1024);

        server.Time.Advance(TimeSpan.FromSeconds(7));
        Assert.True(channel.IsOpen);
        server.Time.Advance(TimeSpan.FromSeconds(2));

        await client.Ended.WaitAsync(Patience.Limit);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.WriteDeadline));
        Assert.Equal((AdmissionStage.Request, RefusalReason.WriteDeadline), server.LastRefusal);
        Assert.Equal(0, server.Context.Budget.TotalBytes);
        Assert.Single(server.Handler.Closes);
    }

    [Fact]
    public async Task Send_PeerReadsLate_AllArrivesInOrder()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        var channel = await server.Handler.Opened;
        for (var i = 0; i < 20; i++)
            Send(channel, new byte[30_000], (uint)i);

        for (var i = 0; i < 20; i++)
            Assert.Equal((uint)i, BitConverter.ToUInt32(await client.ReadFrameAsync(), 20));
        Assert.Equal(0, server.Context.Budget.TotalBytes);
    }

    [Fact]
    public async Task Send_OverTheSendQueue_ConnectionIsClosed()
    {
        using var server = new TestServer(new TransportLimits { MaxSendQueueBytes = 200_000 });
        var client = await RawClient.OpenNoneAsync(server);
        var channel = await server.Handler.Opened;
        for (var i = 0; i < 10; i++)
            Send(channel, new byte[60_000], 1);

        await client.Ended.WaitAsync(Patience.Limit);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.SendQueueFull));
        Assert.Equal((AdmissionStage.Request, RefusalReason.SendQueueFull), server.LastRefusal);
        Assert.Equal(0, server.Context.Budget.TotalBytes);
    }

    [Fact]
    public async Task Send_OverTheMemoryBudget_LargestHolderIsClosedFirst()
    {
        using var server = new TestServer(new TransportLimits { MemoryBudgetBytes = 500_000 });
        var small = await RawClient.OpenNoneAsync(server);
        var smallChannel = server.Handler.Channel!;
        var large = await RawClient.OpenNoneAsync(server);
        var largeChannel = server.Handler.Channel!;
        for (var i = 0; i < 3; i++)
            Send(smallChannel, new byte[60_000], 1);
        for (var i = 0; i < 9; i++)
            Send(largeChannel, new byte[60_000], 1);

        await large.Ended.WaitAsync(Patience.Limit);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.MemoryBudget));
        Assert.Equal((AdmissionStage.Request, RefusalReason.MemoryBudget), server.LastRefusal);
        Assert.True(smallChannel.IsOpen);
        Assert.False(small.Ended.IsCompleted);
    }

    [Fact]
    public async Task Send_InSteadyState_AllocatesNothing()
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        await client.OpenSecuredAsync(
            SecurityPolicies.Basic256Sha256, MessageSecurityMode.SignAndEncrypt, SecurityTokenRequestType.Issue,
            Wire.Nonce());
        var channel = await server.Handler.Opened;
        var body = new byte[192];
        using var buffer = new PooledBuffer(MessageLayout.Headroom);
        var input = client.Connection.Transport.Input;

        Assert.Equal(0, Allocations.OfThousand(Once));

        void Once()
        {
            buffer.Reset();
            buffer.Write(body);
            channel.Send(buffer, 1);
            channel.Flush();
            input.TryRead(out var result);
            input.AdvanceTo(result.Buffer.End);
        }
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(224, true)]
    [InlineData(225, false)]
    public async Task Send_UpToTheBatch_IsFlushedWithoutBeingAsked(int batchBytes, bool flushed)
    {
        using var server = new TestServer(new TransportLimits { SendBatchBytes = batchBytes });
        var client = await RawClient.OpenNoneAsync(server);
        var channel = await server.Handler.Opened;
        using var buffer = new PooledBuffer(MessageLayout.Headroom);
        buffer.Write(new byte[200]);

        channel.Send(buffer, 1);

        var input = client.Connection.Transport.Input;
        Assert.Equal(flushed, input.TryRead(out var result));
        if (flushed)
            Assert.Equal(MessageLayout.Headroom + 200, result.Buffer.Length);
    }

    internal static StatusCode Send(SecureChannel channel, byte[] body, uint requestId)
    {
        using var buffer = new PooledBuffer(MessageLayout.Headroom);
        buffer.Write(body);
        var status = channel.Send(buffer, requestId);
        channel.Flush();
        return status;
    }
}
