using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>
/// The MessageNonces of a publisher. Shape: <c>Random[4], SequenceNumber UInt32</c>. No nonce is used twice with a key:
/// all writers of the process share this object; the sequence number of a key rises by one from 1 and goes on after a
/// restart, at the next block of numbers that <see cref="INonceRegister"/> gives. So a subscriber, which ignores older
/// numbers, takes the first message of a new process. The random part is drawn once a process and key: it keeps nonces
/// apart where a register was restored from a backup. Threads: any. Source: Part 14 §7.2.4.4.3, §7.2.3.
/// </summary>
/// <param name="register">Of all processes of this publisher, one at a time.</param>
/// <param name="time">Paces the tries where the register fails.</param>
internal sealed class UadpNonces(INonceRegister register, TimeProvider time)
{
    /// <summary>Numbers that are taken from the register at once; those left over at the end are lost.</summary>
    public const uint BlockSize = 65_536;

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
            if (Find(key) is not { Left: > 0 } counter)
                return false;
            counter.LastUse = ++_uses;
            nonce = counter.Random | ((ulong)counter.Next << 32);
            counter.Next++;
            counter.Left--;
            return true;
        }
    }

    /// <summary>Why the key can seal nothing, in words; null: it can.</summary>
    public string? HindranceOf(SecurityKey key)
    {
        lock (_lock)
        {
            if (Find(key) is { Left: > 0 })
                return null;
            return _failure is null
                ? $"key {key.TokenId} has sealed all messages that it may"
                : $"the nonces of key {key.TokenId} cannot be remembered: {_failure}";
        }
    }

    /// <summary>With numbers left, if there are any.</summary>
    private Counter Find(SecurityKey key)
    {
        if (!_counters.TryGetValue(key.Fingerprint, out var counter))
            _counters.Add(key.Fingerprint, counter = New());
        if (counter.Left == 0 && (_failure is null || time.GetElapsedTime(_failedAt) >= RetryInterval))
            Fill(key, counter);
        return counter;
    }

    private void Fill(SecurityKey key, Counter counter)
    {
        try
        {
            var first = register.Reserve(key.Fingerprint, BlockSize);
            (counter.Next, counter.Left) = (first, first == 0 ? 0 : BlockSize);
            _failure = null;
        }
        catch (IOException error)
        {
            (_failure, _failedAt) = (error.Message, time.GetTimestamp());
        }
    }

    private Counter New()
    {
        if (_counters.Count == MaxKeys)
            _counters.Remove(_counters.MinBy(static pair => pair.Value.LastUse).Key);
        Span<byte> random = stackalloc byte[sizeof(uint)];
        RandomNumberGenerator.Fill(random);
        return new Counter { Random = BinaryPrimitives.ReadUInt32LittleEndian(random), LastUse = ++_uses };
    }

    private sealed class Counter
    {
        public required uint Random { get; init; }

        public uint Next { get; set; }

        public uint Left { get; set; }

        public required long LastUse { get; set; }
    }
}
