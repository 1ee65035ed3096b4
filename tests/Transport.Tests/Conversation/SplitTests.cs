using Gateway.Codec.Structures;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

/// <summary>The same bytes whole, split at every boundary, and byte by byte.</summary>
public sealed class SplitTests
{
    private static readonly byte[] Conversation = Record();

    [Fact]
    public async Task Conversation_Whole_AllMessagesArrive() => await PlayAsync([Conversation]);

    [Fact]
    public async Task Conversation_ByteByByte_SameMessages() =>
        await PlayAsync([.. Conversation.Select(one => new[] { one })]);

    [Fact]
    public async Task Conversation_SplitAtEveryBoundary_SameMessages()
    {
        for (var at = 1; at < Conversation.Length; at++)
            await PlayAsync([Conversation[..at], Conversation[at..]]);
    }

    [Fact]
    public async Task Secured_ByteByByte_SameMessage()
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        foreach (var one in Wire.Hello())
            await client.SendAsync(new[] { one });
        await client.ReadFrameAsync();
        var nonce = Wire.Nonce();
        var policy = SecurityPolicies.Aes256Sha256RsaPss;
        var response = await client.OpenSecuredAsync(
            policy, MessageSecurityMode.SignAndEncrypt, SecurityTokenRequestType.Issue, nonce);
        var (outgoing, _) = TokenKeys.Derive(
            policy, MessageSecurityMode.SignAndEncrypt, nonce, response.ServerNonce!);
        foreach (var one in Wire.Message(outgoing, client.ChannelId, client.TokenId, 2, 9, "secret"u8))
            await client.SendAsync(new[] { one });

        var (requestId, message) = await server.Handler.NextAsync();
        Assert.Equal(9u, requestId);
        Assert.Equal("secret"u8.ToArray(), message);
    }

    [Fact]
    public async Task MSG_ManyInOneRead_HandledInTurnsAndAnsweredAll()
    {
        using var server = new TestServer(new TransportLimits { MaxMessagesPerTurn = 4 }, echo: true);
        var client = await RawClient.OpenNoneAsync(server);
        byte[] all = [.. Enumerable.Range(0, 50).SelectMany(
            i => Wire.MessageNone(client.ChannelId, client.TokenId, 2 + (uint)i, (uint)i, new byte[20]))];
        await client.SendAsync(all);

        for (var i = 0; i < 50; i++)
            Assert.Equal((uint)i, BitConverter.ToUInt32(await client.ReadFrameAsync(), 20));
    }

    private static async Task PlayAsync(byte[][] parts)
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        foreach (var part in parts)
            await client.SendAsync(part);
        await client.Ended.WaitAsync(Patience.Limit);

        Assert.Equal(2, server.Handler.Count);
        Assert.Equal((1u, 3), Shape(await server.Handler.NextAsync()));
        Assert.Equal((2u, 25), Shape(await server.Handler.NextAsync()));
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.PeerClosed));
    }

    private static (uint, int) Shape((uint RequestId, byte[] Message) got) => (got.RequestId, got.Message.Length);

    private static byte[] Record() =>
    [
        .. Wire.Hello(),
        .. Wire.OpenNone(0, 1),
        .. Wire.MessageNone(1, 1, 2, 1, new byte[3]),
        .. Wire.MessageNone(1, 1, 3, 2, new byte[20], ChunkType.Intermediate),
        .. Wire.MessageNone(1, 1, 4, 2, new byte[5]),
        .. Wire.MessageNone(1, 1, 5, 3, new byte[20], kind: MessageKind.CloseSecureChannel),
    ];
}
