using System.Net.Sockets;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Sockets;

/// <summary>A client with an open channel without security, over a real socket.</summary>
internal sealed class FloodPeer(Socket socket)
{
    public const uint FirstRequestId = 1_000_000;

    private uint _channelId;
    private uint _tokenId;

    public Socket Socket { get; } = socket;

    public async Task OpenAsync()
    {
        await Socket.SendAsync(Wire.Hello());
        await ReadFrameAsync();
        await Socket.SendAsync(Wire.OpenNone(0, 1));
        var frame = await ReadFrameAsync();
        var header = AsymmetricHeader.Read(frame, new TransportLimits());
        var reader = new UaBinaryReader(
            AsymmetricUnsealer.Unseal(SecurityPolicies.None, frame, header.End, null, null).Body.Span);
        reader.ReadNodeId();
        var token = OpenSecureChannelResponse.Decode(ref reader).SecurityToken;
        (_channelId, _tokenId) = (token.ChannelId, token.TokenId);
    }

    public byte[] Message(uint sequence, uint requestId, int bodyBytes) =>
        Wire.MessageNone(_channelId, _tokenId, sequence, requestId, new byte[bodyBytes]);

    public async Task<uint> ReadRequestIdAsync() => BitConverter.ToUInt32(await ReadFrameAsync(), 20);

    private async Task<byte[]> ReadFrameAsync()
    {
        var head = new byte[8];
        await ReadAsync(head);
        var frame = new byte[BitConverter.ToInt32(head, 4)];
        head.CopyTo(frame, 0);
        await ReadAsync(frame.AsMemory(8));
        return frame;
    }

    private async Task ReadAsync(Memory<byte> target)
    {
        while (target.Length > 0)
        {
            var count = await Socket.ReceiveAsync(target).AsTask().WaitAsync(Patience.Limit);
            Assert.True(count > 0, "the server closed the connection");
            target = target[count..];
        }
    }
}
