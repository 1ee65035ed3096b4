using System.Security.Cryptography;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Transport.Tests.Support;

/// <summary>Bytes of the protocol, written by hand.</summary>
internal static class Wire
{
    public static byte[] Frame(MessageKind kind, ReadOnlySpan<byte> body, ChunkType chunk = ChunkType.Final)
    {
        var frame = new byte[8 + body.Length];
        FrameWriter.WriteHeader(frame, kind, chunk, frame.Length);
        body.CopyTo(frame.AsSpan(8));
        return frame;
    }

    public static byte[] Hello(
        uint buffers = 65536, string? url = "opc.tcp://test:4840", uint maxMessage = 0, uint maxChunks = 0) =>
        Frame(MessageKind.Hello, Body((ref UaBinaryWriter w) =>
            new HelloMessage(new TransportSizes(buffers, buffers, maxMessage, maxChunks), url).Write(ref w)));

    public static byte[] OpenBody(
        SecurityTokenRequestType type,
        MessageSecurityMode mode = MessageSecurityMode.None,
        byte[]? nonce = null,
        uint lifetimeMs = 3_600_000) => Body((ref UaBinaryWriter w) =>
        {
            w.WriteNodeId(new NodeId(OpenSecureChannelRequest.BinaryEncodingId));
            new OpenSecureChannelRequest
            {
                RequestHeader = new RequestHeader { RequestHandle = 7 },
                RequestType = type,
                SecurityMode = mode,
                ClientNonce = nonce,
                RequestedLifetime = lifetimeMs,
            }.Encode(ref w);
        });

    public static byte[] OpenNone(
        uint channelId, uint sequence, SecurityTokenRequestType type = SecurityTokenRequestType.Issue,
        uint lifetimeMs = 3_600_000) =>
        new AsymmetricSealer { Policy = SecurityPolicies.None }
            .Seal(channelId, sequence, sequence, OpenBody(type, lifetimeMs: lifetimeMs));

    public static AsymmetricSealer Sealer(
        SecurityPolicy policy, ApplicationCertificate from, ApplicationCertificate to) => new()
        {
            Policy = policy,
            SenderCertificate = from.ChainBlob,
            ReceiverThumbprint = to.ThumbprintBytes.ToArray(),
            PrivateKey = from.PrivateKey,
            PeerKey = to.PrivateKey,
        };

    public static byte[] MessageNone(
        uint channelId, uint tokenId, uint sequence, uint requestId, ReadOnlySpan<byte> body,
        ChunkType chunk = ChunkType.Final, MessageKind kind = MessageKind.Message) =>
        Message(new NoProtection(), channelId, tokenId, sequence, requestId, body, chunk, kind);

    public static byte[] Message(
        ChunkProtection protection, uint channelId, uint tokenId, uint sequence, uint requestId,
        ReadOnlySpan<byte> body, ChunkType chunk = ChunkType.Final, MessageKind kind = MessageKind.Message)
    {
        var bytes = new byte[24 + body.Length + protection.MaxTrailerBytes];
        FrameWriter.WriteHeader(bytes, kind, chunk, 0);
        BitConverter.TryWriteBytes(bytes.AsSpan(8), channelId);
        BitConverter.TryWriteBytes(bytes.AsSpan(12), tokenId);
        BitConverter.TryWriteBytes(bytes.AsSpan(16), sequence);
        BitConverter.TryWriteBytes(bytes.AsSpan(20), requestId);
        body.CopyTo(bytes.AsSpan(24));
        return bytes[..protection.Seal(bytes, 24 + body.Length)];
    }

    public static byte[] Nonce() => RandomNumberGenerator.GetBytes(32);

    public static byte[] Body(WriteBody write)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        write(ref writer);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    internal delegate void WriteBody(ref UaBinaryWriter writer);
}
