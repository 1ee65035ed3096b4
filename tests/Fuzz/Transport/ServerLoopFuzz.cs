using Gateway.Codec.Structures;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Fuzz.Transport;

/// <summary>Spoilt input against the server's connection loop: each case ends the connection, typed, with nothing held
/// and nothing escaped.</summary>
public sealed class ServerLoopFuzz
{
    private const long MaxAllocatedBytes = 64 * 1024;
    private const int MaxPlays = 4;

    [Fact]
    public async Task Conversation_CutAtEachByte_Ends() =>
        await PlayAllAsync(Mutations.CutAtEachByte(RecordedConversation.OfClient));

    [Fact]
    public async Task Conversation_EachBitFlipped_Ends() =>
        await PlayAllAsync(Mutations.EachBitFlipped(RecordedConversation.OfClient));

    [Fact]
    public async Task Conversation_HugeLengthAtEachOffset_Ends() =>
        await PlayAllAsync(Mutations.EachLengthHuge(RecordedConversation.OfClient));

    [Fact]
    public async Task Conversation_NoiseInEachState_Ends()
    {
        var hello = Wire.Hello();
        byte[] opened = [.. hello, .. Wire.OpenNone(0, 1)];
        await PlayAllAsync(Mutations.Noise([], 500));
        await PlayAllAsync(Mutations.Noise(hello, 500));
        await PlayAllAsync(Mutations.Noise([.. hello, .. "OPNF"u8], 500));
        await PlayAllAsync(Mutations.Noise([.. opened, .. "MSGF"u8], 500));
    }

    [Fact]
    public async Task SecuredOpen_BitsFlipped_ErrAndEnd()
    {
        using var server = new TestServer();
        var body = Wire.OpenBody(SecurityTokenRequestType.Issue, MessageSecurityMode.Sign, Wire.Nonce());
        var open = Wire.Sealer(SecurityPolicies.Basic256Sha256, TestCertificates.Client, TestCertificates.Server)
            .Seal(0, 1, 1, body);
        var cases = 0;
        foreach (var spoilt in Mutations.EachBitFlipped(open, step: 7))
        {
            await PlayAsync(server, [.. Wire.Hello(), .. spoilt]);
            cases++;
        }

        Assert.True(cases > 1000);
        AssertClean(server);
        Assert.Equal(0, server.Counters.SecureChannelsOpened);
    }

    [Fact]
    public async Task SecuredMessage_EachBitFlipped_NeverReachesTheHandler()
    {
        using var server = new TestServer();
        var policy = SecurityPolicies.Aes256Sha256RsaPss;
        const MessageSecurityMode mode = MessageSecurityMode.SignAndEncrypt;
        for (var bit = 0; bit < 64 * 8; bit++)
        {
            var client = new RawClient(server);
            await client.SendAsync(Wire.Hello());
            await client.ReadFrameAsync();
            var nonce = Wire.Nonce();
            var response = await client.OpenSecuredAsync(policy, mode, SecurityTokenRequestType.Issue, nonce);
            var (outgoing, _) = TokenKeys.Derive(policy, mode, nonce, response.ServerNonce!);
            var message = Wire.Message(outgoing, client.ChannelId, client.TokenId, 2, 9, "hi"u8);
            Assert.Equal(64, message.Length);
            message[bit / 8] ^= (byte)(1 << (bit % 8));
            await client.SendAsync(message);
            await client.Connection.DisposeAsync();
            await client.Ended.WaitAsync(Patience.Limit);
        }

        Assert.Equal(0, server.Handler.Count);
        AssertClean(server);
    }

    private static async Task PlayAllAsync(IEnumerable<byte[]> cases)
    {
        using var server = new TestServer();
        await PlayAsync(server, RecordedConversation.OfClient);
        var count = 0;
        foreach (var bytes in cases)
        {
            await PlayMeasuredAsync(server, bytes);
            count++;
        }

        Assert.True(count > 300);
        AssertClean(server);
    }

    /// <summary>A play may also fill a pool that a collection or a change of threads left empty; what the input costs
    /// is what its cheapest play allocates.</summary>
    private static async Task PlayMeasuredAsync(TestServer server, byte[] bytes)
    {
        for (var play = 1; await PlayAsync(server, bytes) > MaxAllocatedBytes; play++)
            Assert.True(play < MaxPlays, Convert.ToHexString(bytes));
    }

    /// <summary>Returns what the server allocated for it.</summary>
    private static async Task<long> PlayAsync(TestServer server, byte[] bytes)
    {
        var client = new RawClient(server);
        var allocated = Send(client, bytes);
        await client.Connection.DisposeAsync();
        await client.Ended.WaitAsync(Patience.Limit);
        return allocated;
    }

    /// <summary>The loop runs inside the write, on this thread, so what it allocates is counted here.</summary>
    private static long Send(RawClient client, byte[] bytes)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        var sent = client.SendAsync(bytes);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(sent.IsCompleted);
        return allocated;
    }

    private static void AssertClean(TestServer server)
    {
        Assert.Equal(0, server.Counters.Closes(ChannelCloseReason.InternalError));
        Assert.Equal((0, 0), (server.Counters.Connections, server.Counters.SecureChannels));
        Assert.Equal(0, server.Connections.ConnectionCount);
        Assert.Equal(0, server.Context.Budget.TotalBytes);
        Assert.Equal(server.Counters.SecureChannelsOpened, server.Handler.Closes.Count);
    }
}
