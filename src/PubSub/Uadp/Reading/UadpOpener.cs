using System.Buffers.Binary;
using Gateway.Codec.Structures;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>
/// Opens sealed messages: the mode, the key of the token id, the signature, the sequence number, then the payload. A
/// message with less security than configured is refused whatever else it is. A past or future key opens as long as it
/// is in the set of keys. Sequence numbers are remembered only of messages with a good signature. Owner: a reader; one
/// thread at a time. Source: Part 14 §7.2.4.4.3, §7.2.3.
/// </summary>
internal sealed class UadpOpener(UadpReaderOptions options, ISecurityKeySource? keys, UadpReplayBook replays)
    : IDisposable
{
    private readonly Dictionary<uint, UadpCipher> _ciphers = [];
    private SecurityKeySet? _keySet;
    private byte[] _opened = [];

    /// <summary>Of the message that was opened last.</summary>
    public UadpOrigin Origin { get; private set; }

    /// <param name="message">The whole of it.</param>
    /// <param name="head">Its head.</param>
    /// <param name="payload">Opened; valid until the next call.</param>
    public UadpReadProblem Open(ReadOnlySpan<byte> message, in UadpReceivedHead head, out ReadOnlySpan<byte> payload)
    {
        payload = default;
        Origin = default;
        var mode = head.SecurityMode;
        if (mode == MessageSecurityMode.Invalid)
            return UadpReadProblem.Malformed;
        if (mode < options.SecurityMode)
            return UadpReadProblem.SecurityModeTooLow;
        if (mode == MessageSecurityMode.None)
        {
            payload = message[head.Size..];
            return UadpReadProblem.None;
        }

        // Without a nonce a replay could not be told from a new message.
        var end = message.Length - PubSubSecurityPolicy.SignatureBytes;
        if (head.NonceBytes != PubSubSecurityPolicy.MessageNonceBytes || end - head.FooterBytes < head.Size)
            return UadpReadProblem.Malformed;
        var cipher = CipherOf(head.TokenId);
        if (cipher is null)
        {
            keys?.RequestRefresh();
            return UadpReadProblem.UnknownKey;
        }

        if (!cipher.Verify(message[..end], message[end..]))
            return UadpReadProblem.BadSignature;
        Origin = new UadpOrigin(
            cipher.Fingerprint, BinaryPrimitives.ReadUInt32LittleEndian(head.Nonce(message)[sizeof(uint)..]));
        var isKept = options.AcceptsRetained && head.MessageType == UadpFlags.DiscoveryAnnouncement;
        if (!isKept && !IsNew(message, head))
            return UadpReadProblem.Replayed;
        if ((head.SecurityFlags & UadpFlags.ForceKeyReset) != 0)
            keys!.RequestRefresh();
        payload = message[head.Size..(end - head.FooterBytes)];
        if (mode == MessageSecurityMode.SignAndEncrypt)
            payload = Decrypt(cipher, head.Nonce(message), payload);
        return UadpReadProblem.None;
    }

    public void Dispose()
    {
        foreach (var cipher in _ciphers.Values)
            cipher.Dispose();
        _ciphers.Clear();
        _opened.AsSpan().Clear();
    }

    private UadpCipher? CipherOf(uint tokenId)
    {
        var keySet = keys?.Current;
        if (!ReferenceEquals(keySet, _keySet))
        {
            Dispose();
            _keySet = keySet;
        }

        if (_ciphers.TryGetValue(tokenId, out var cipher))
            return cipher;
        if (keySet?.Find(tokenId) is not { } key)
            return null;
        cipher = new UadpCipher(key);
        _ciphers.Add(tokenId, cipher);
        return cipher;
    }

    private bool IsNew(ReadOnlySpan<byte> message, in UadpReceivedHead head)
    {
        // A publisher may count for each group; a message belongs to the same record each time that it comes.
        var writer = head.WriterGroupId is null && head.WriterCount > 0 ? head.WriterId(message, 0) : (ushort)0;
        var stream = new UadpStream(head.PublisherId, head.MessageType, head.WriterGroupId, writer, Origin.Key!);
        return head.MessageType == UadpFlags.DiscoveryProbe
            ? replays.TryTakeProbe(
                stream, BinaryPrimitives.ReadUInt64LittleEndian(head.Nonce(message)), _keySet!, options)
            : replays.TryTake(stream, Origin.Number, _keySet!, options);
    }

    private ReadOnlySpan<byte> Decrypt(UadpCipher cipher, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> payload)
    {
        if (_opened.Length < payload.Length)
            _opened = new byte[Math.Max(UadpWriterOptions.Ipv4MessageBytes, payload.Length)];
        var opened = _opened.AsSpan(0, payload.Length);
        payload.CopyTo(opened);
        cipher.Apply(nonce, opened);
        return opened;
    }
}
