using Gateway.Codec.Binary;
using Gateway.Codec.Structures;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>Key and nonce of one message. The default: it is not sealed, with an empty SecurityHeader. Shape of the
/// header: <c>SecurityFlags, SecurityTokenId UInt32, NonceLength, MessageNonce</c>; there is no footer, because counter
/// mode needs no padding. Source: Part 14 §7.2.4.4.2.</summary>
internal readonly struct UadpSeal(MessageSecurityMode mode, UadpCipher cipher, ulong nonce)
{
    /// <summary>Of the header where a message is not sealed.</summary>
    public const int EmptyHeaderBytes = 1 + sizeof(uint) + 1;

    public const int HeaderBytes = EmptyHeaderBytes + PubSubSecurityPolicy.MessageNonceBytes;

    private static readonly byte[] NoSignature = new byte[PubSubSecurityPolicy.SignatureBytes];

    public void WriteHeader(ref UaBinaryWriter writer)
    {
        var isSealed = cipher is not null;
        writer.WriteByte((byte)((isSealed ? UadpFlags.Signed : 0) |
            (mode == MessageSecurityMode.SignAndEncrypt ? UadpFlags.Encrypted : 0)));
        writer.WriteUInt32(isSealed ? cipher!.TokenId : 0);
        writer.WriteByte((byte)(isSealed ? PubSubSecurityPolicy.MessageNonceBytes : 0));
        if (isSealed)
            writer.WriteUInt64(nonce);
    }

    /// <summary>Room for the signature.</summary>
    public void WriteEnd(ref UaBinaryWriter writer)
    {
        if (cipher is not null)
            writer.WriteRaw(NoSignature);
    }

    /// <summary>Encrypts and signs in place.</summary>
    /// <param name="message">With the room for the signature.</param>
    /// <param name="payload">Where it starts; the nonce stands before it.</param>
    public void Close(Span<byte> message, int payload)
    {
        if (cipher is null)
            return;
        var signed = message[..^PubSubSecurityPolicy.SignatureBytes];
        if (mode == MessageSecurityMode.SignAndEncrypt)
            cipher.Apply(message.Slice(payload - PubSubSecurityPolicy.MessageNonceBytes, 8), signed[payload..]);
        cipher.Sign(signed, message[^PubSubSecurityPolicy.SignatureBytes..]);
    }
}
