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

    private static byte[] Many(RawClient client, int count) => [.. Enumerable.Range(0, count).SelectMany(
        i => Wire.MessageNone(client.ChannelId, client.TokenId, 2 + (uint)i, (uint)i, new byte[20]))];
}
