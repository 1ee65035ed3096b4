using Gateway.Codec.Structures;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>Seals the messages of one writer: the key of now, a nonce for each. Owner: the writer; one thread at a
/// time. Source: Part 14 §7.2.4.4.3.</summary>
internal sealed class UadpSealer : IDisposable
{
    private readonly MessageSecurityMode _mode;
    private readonly ISecurityKeySource _keys;
    private readonly UadpNonces _nonces;
    private readonly TimeProvider _time;
    private SecurityKey? _key;
    private UadpCipher? _cipher;

    /// <param name="mode">Sign or SignAndEncrypt.</param>
    /// <param name="keys">Of the SecurityGroup.</param>
    /// <param name="nonces">Shared by all writers of the publisher.</param>
    /// <param name="time">Says which key is the current one.</param>
    public UadpSealer(MessageSecurityMode mode, ISecurityKeySource keys, UadpNonces nonces, TimeProvider time)
    {
        if (mode is not (MessageSecurityMode.Sign or MessageSecurityMode.SignAndEncrypt))
            throw new ArgumentOutOfRangeException(nameof(mode));
        (_mode, _keys, _nonces, _time) = (mode, keys, nonces, time);
    }

    /// <summary>Bytes that sealing adds to a message.</summary>
    public static int SizeBytes => UadpSeal.HeaderBytes + PubSubSecurityPolicy.SignatureBytes;

    /// <summary>False: there is no key to send with now.</summary>
    public bool HasKey => CurrentKey is not null;

    /// <summary>Why nothing can be sealed now, in words; null: it can.</summary>
    public string? Hindrance => CurrentKey is { } key ? _nonces.HindranceOf(key) : "there is no key that is valid now";

    private SecurityKey? CurrentKey => _keys.Current?.CurrentAt(_time.GetUtcNow().UtcDateTime);

    /// <summary>For one message. False: there is no key, or it has sealed all messages that it may.</summary>
    public bool TryNext(out UadpSeal seal)
    {
        seal = default;
        if (CurrentKey is not { } key || !_nonces.TryNext(key, out var nonce))
            return false;
        if (!ReferenceEquals(key, _key))
        {
            _cipher?.Dispose();
            (_key, _cipher) = (key, new UadpCipher(key));
        }

        seal = new UadpSeal(_mode, _cipher!, nonce);
        return true;
    }

    public void Dispose()
    {
        _cipher?.Dispose();
        (_key, _cipher) = (null, null);
    }
}
