using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>
/// The MessageNonces of a publisher. Shape: <c>Random[4], SequenceNumber UInt32</c>. No nonce is used twice with a key:
/// all writers of the process that share keys share this object; the sequence number of a token rises by one from 1,
/// is never set back, and ends at its largest value, after which nothing is sealed until there is another key. The
/// random part is drawn once a process and token from the system's generator, so that another process, or this one
/// after a restart, has other nonces (but for a chance of 2^-32 for each two of them with one key; a new key at each
/// start has none). Threads: any. Source: Part 14 §7.2.4.4.3, §7.2.3.
/// </summary>
internal sealed class UadpNonces
{
    /// <summary>More than the keys of a set, so that no token in use is ever forgotten.</summary>
    private const int MaxTokens = 4 * SecurityKeySet.MaxKeys;

    private readonly Lock _lock = new();
    private readonly Dictionary<uint, Counter> _counters = [];
    private long _uses;

    /// <summary>False: the token has sealed all messages that it may.</summary>
    public bool TryNext(uint tokenId, out ulong nonce)
    {
        lock (_lock)
        {
            if (!_counters.TryGetValue(tokenId, out var counter))
                _counters.Add(tokenId, counter = New());
            counter.LastUse = ++_uses;
            nonce = counter.Random | ((ulong)counter.SequenceNumber << 32);
            if (counter.SequenceNumber == uint.MaxValue)
                return false;
            counter.SequenceNumber++;
            return true;
        }
    }

    /// <summary>For tests: as if as many messages had been sealed.</summary>
    internal void Advance(uint tokenId, uint count)
    {
        TryNext(tokenId, out _);
        lock (_lock)
            _counters[tokenId].SequenceNumber += count - 1;
    }

    private Counter New()
    {
        if (_counters.Count == MaxTokens)
            _counters.Remove(_counters.MinBy(pair => pair.Value.LastUse).Key);
        Span<byte> random = stackalloc byte[sizeof(uint)];
        RandomNumberGenerator.Fill(random);
        return new Counter { Random = BinaryPrimitives.ReadUInt32LittleEndian(random), SequenceNumber = 1 };
    }

    private sealed class Counter
    {
        public required uint Random { get; init; }

        public uint SequenceNumber { get; set; }

        public long LastUse { get; set; }
    }
}
