using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;
using Gateway.Transport.Tests.Support;

namespace Gateway.Fuzz.Transport;

/// <summary>What a good client and a good server say, as bytes.</summary>
internal static class RecordedConversation
{
    public static byte[] OfClient { get; } =
    [
        .. Wire.Hello(),
        .. Wire.OpenNone(0, 1),
        .. Wire.MessageNone(1, 1, 2, 1, new byte[3]),
        .. Wire.MessageNone(1, 1, 3, 2, new byte[20], ChunkType.Intermediate),
        .. Wire.MessageNone(1, 1, 4, 2, new byte[5]),
        .. Wire.OpenNone(1, 5, SecurityTokenRequestType.Renew),
        .. Wire.MessageNone(1, 2, 6, 3, new byte[20], ChunkType.Abort),
        .. Wire.MessageNone(1, 2, 7, 4, new byte[20], kind: MessageKind.CloseSecureChannel),
    ];

    public static byte[] OfServer { get; } =
    [
        .. Wire.Frame(MessageKind.Acknowledge, Wire.Body((ref UaBinaryWriter w) =>
        {
            w.WriteUInt32(0);
            new TransportSizes(65536, 65536, 0, 0).Write(ref w);
        })),
        .. new AsymmetricSealer { Policy = Gateway.Transport.Security.SecurityPolicies.None }.Seal(1, 1, 1, Response()),
        .. Wire.MessageNone(1, 1, 2, 1, new byte[3]),
        .. Wire.MessageNone(1, 1, 3, 2, new byte[20], ChunkType.Intermediate),
        .. Wire.MessageNone(1, 1, 4, 2, new byte[5]),
        .. Wire.Frame(MessageKind.Error, [0, 0, 0x80, 0x80, 2, 0, 0, 0, 65, 66]),
    ];

    private static byte[] Response() => Wire.Body((ref UaBinaryWriter w) =>
    {
        w.WriteNodeId(new NodeId(OpenSecureChannelResponse.BinaryEncodingId));
        new OpenSecureChannelResponse
        {
            SecurityToken = new ChannelSecurityToken { ChannelId = 1, TokenId = 1, RevisedLifetime = 60_000 },
        }.Encode(ref w);
    });
}
