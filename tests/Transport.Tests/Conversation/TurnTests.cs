using Gateway.Testing;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class TurnTests
{
    [Fact]
    public async Task MSG_HandlersTakeLong_TurnEndsWithItsSliceAndAllAreAnsweredInOrder()
    {
        using var server = new TestServer(echo: true);
        server.Handler.Intercept = (_, _) => server.Time.Advance(1);
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendAsync(Many(client, 20));

        for (var i = 0; i < 20; i++)
            Assert.Equal((uint)i, BitConverter.ToUInt32(await client.ReadFrameAsync(), 20));
        Assert.InRange(server.Counters.TurnsCut, 9, 10);
    }

    [Fact]
    public async Task MSG_HandlersTakeNoTime_OneTurnForAll()
    {
        using var server = new TestServer(echo: true);
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendAsync(Many(client, 20));

        for (var i = 0; i < 20; i++)
            await client.ReadFrameAsync();
        Assert.Equal(0, server.Counters.TurnsCut);
    }

    [Fact]
    public async Task MSG_RequestIsUnfinished_NextOneWaitsForItsEnd()
    {
        using var server = new TestServer(echo: true);
        var request = new HeldBack();
        server.Handler.Intercept = (channel, id) =>
        {
            if (id == 1)
                channel.WaitFor(request);
        };
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendAsync(Many(client, 4));
        await client.ReadFrameAsync();
        await client.ReadFrameAsync();
        await request.Awaited.WaitAsync(Patience.Limit);

        Assert.Equal(2, server.Handler.Count);
        Assert.Equal(HeldBack.Bytes, server.Context.Budget.TotalBytes);
        server.Time.Advance(TimeSpan.FromSeconds(20));
        request.End();
        await client.ReadFrameAsync();
        await client.ReadFrameAsync();
        Assert.Equal(4, server.Handler.Count);
        Assert.Equal(0, server.Context.Budget.TotalBytes);
        Assert.False(request.WasLeft);
    }

    [Fact]
    public async Task MSG_RequestIsUnfinishedAndTheConnectionIsEnded_TheRequestIsToldToLeave()
    {
        using var server = new TestServer(echo: true);
        var request = new HeldBack { EndsWhenLeft = true };
        server.Handler.Intercept = (channel, _) => channel.WaitFor(request);
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendAsync(Many(client, 2));
        await request.Awaited.WaitAsync(Patience.Limit);

        server.Connections.CloseAll();
        await server.Handler.Closed.WaitAsync(Patience.Limit);
        Assert.True(request.WasLeft);
        Assert.Equal(1, server.Handler.Count);
        Assert.Equal(0, server.Context.Budget.TotalBytes);
    }

    /// <summary>On a transport without a door of its own, too.</summary>
    [Fact]
    public async Task MSG_RequestIsUnfinishedAndThePeerHangsUp_TheRequestIsToldToLeave()
    {
        using var server = new TestServer(echo: true);
        var request = new HeldBack { EndsWhenLeft = true };
        var finished = new HeldBack();
        server.Handler.Intercept = (channel, id) => channel.WaitFor(id == 0 ? finished : request);
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendAsync(Many(client, 2));
        await finished.Awaited.WaitAsync(Patience.Limit);
        finished.End();
        await request.Awaited.WaitAsync(Patience.Limit);
        Assert.False(request.WasLeft);

        server.Accepted!.HangUp();
        await client.Connection.DisposeAsync();
        await server.Handler.Closed.WaitAsync(Patience.Limit);
        Assert.True(request.WasLeft);
        Assert.False(finished.WasLeft);
        Assert.Equal(0, server.Context.Budget.TotalBytes);
    }

    private static byte[] Many(RawClient client, int count) => [.. Enumerable.Range(0, count).SelectMany(
        i => Wire.MessageNone(client.ChannelId, client.TokenId, 2 + (uint)i, (uint)i, new byte[20]))];
}
