using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>
/// The MessageNonces of a publisher. Shape: <c>Random[4], SequenceNumber UInt32</c>. No nonce is used twice with a key:
/// all writers of the process share this object; the sequence number of a key rises by one from 1, is never set back,
/// and ends at its largest value, after which nothing is sealed until there is another key. The random part is drawn
/// once a process and key from the system's generator, and drawn again if the key has had it in an earlier process
/// (<see cref="INonceRegister"/>). Threads: any. Source: Part 14 §7.2.4.4.3, §7.2.3.
/// </summary>
/// <param name="register">Of all processes of this publisher, one at a time.</param>
/// <param name="time">Paces the tries where the register fails.</param>
internal sealed class UadpNonces(INonceRegister register, TimeProvider time)
{
    /// <summary>More than the keys of a set, so that no key in use is ever forgotten.</summary>
    private const int MaxKeys = 4 * SecurityKeySet.MaxKeys;

    private static readonly TimeSpan RetryInterval = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly Dictionary<string, Counter> _counters = [];
    private long _uses;
    private long _failedAt;
    private string? _failure;

    /// <summary>False: see <see cref="HindranceOf"/>.</summary>
    public bool TryNext(SecurityKey key, out ulong nonce)
    {
        nonce = 0;
        lock (_lock)
        {
            if (Find(key) is not { } counter || counter.SequenceNumber == uint.MaxValue)
                return false;
            counter.LastUse = ++_uses;
            nonce = counter.Random | ((ulong)counter.SequenceNumber++ << 32);
            return true;
        }
    }

    /// <summary>Why the key can seal nothing, in words; null: it can.</summary>
    public string? HindranceOf(SecurityKey key)
    {
        lock (_lock)
        {
            if (Find(key) is not { } counter)
                return $"the nonces of key {key.TokenId} cannot be remembered: {_failure}";
            return counter.SequenceNumber == uint.MaxValue
                ? $"key {key.TokenId} has sealed all messages that it may"
                : null;
        }
    }

    /// <summary>For tests: as if as many messages had been sealed.</summary>
    internal void Advance(SecurityKey key, uint count)
    {
        lock (_lock)
            Find(key)!.SequenceNumber += count;
    }

    private Counter? Find(SecurityKey key)
    {
        if (_counters.TryGetValue(key.Fingerprint, out var counter))
            return counter;
        if (_failure is not null && time.GetElapsedTime(_failedAt) < RetryInterval)
            return null;
        try
        {
            counter = New(key);
            _failure = null;
        }
        catch (IOException error)
        {
            (_failure, _failedAt) = (error.Message, time.GetTimestamp());
            return null;
        }

        if (_counters.Count == MaxKeys)
            _counters.Remove(_counters.MinBy(static pair => pair.Value.LastUse).Key);
        _counters.Add(key.Fingerprint, counter);
        return counter;
    }

    private Counter New(SecurityKey key)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        uint random;
        do
        {
            RandomNumberGenerator.Fill(bytes);
            random = BinaryPrimitives.ReadUInt32LittleEndian(bytes);
        }
        while (!register.TryReserve(key.Fingerprint, random));
        return new Counter { Random = random, SequenceNumber = 1, LastUse = ++_uses };
    }

    private sealed class Counter
    {
        public required uint Random { get; init; }

        public required uint SequenceNumber { get; set; }

        public required long LastUse { get; set; }
    }
}
