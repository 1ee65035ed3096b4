namespace Gateway.PubSub.Uadp.Reading;

/// <summary>
/// Puts payloads together from chunks that come in any order, twice, or not at all. Memory grows with the bytes that
/// have come, never with a size that a chunk claims. Bounded in payloads, chunks, bytes and time. Where there is no
/// room the oldest payload goes, so that chunks which never become one keep nobody out; what is given up is counted.
/// Owner: a reader; one thread at a time. Source: Part 14 §7.2.4.4.4.
/// </summary>
internal sealed class UadpChunkAssembler(UadpReaderOptions options, UadpReaderCounters counters, TimeProvider time)
{
    /// <summary>Payloads that were complete within the time-out: a chunk that comes twice must not start one anew, and
    /// a publisher that starts anew may use its numbers again.</summary>
    private const int Remembered = 64;

    /// <summary>Of a chunk, besides its bytes.</summary>
    private const int ChunkBytes = 48;

    private readonly Dictionary<UadpChunkKey, Payload> _waiting = [];
    private readonly Queue<(UadpChunkKey Key, long At)> _completed = new(Remembered);
    private long _waitingBytes;

    public int Waiting => _waiting.Count;

    public long WaitingBytes => _waitingBytes;

    /// <param name="key">The payload that it belongs to.</param>
    /// <param name="offset">ChunkOffset.</param>
    /// <param name="total">TotalSize.</param>
    /// <param name="data">ChunkData; a copy is kept.</param>
    /// <param name="whole">The payload, when the last chunk has come.</param>
    /// <returns>None with the whole payload, otherwise why there is none.</returns>
    public UadpReadProblem Add(
        in UadpChunkKey key, uint offset, uint total, ReadOnlySpan<byte> data, out byte[]? whole)
    {
        whole = null;
        GiveUpLate();
        if (data.IsEmpty || (ulong)offset + (uint)data.Length > total)
            return UadpReadProblem.Malformed;
        if (total > (uint)options.MaxChunkedBytes)
            return UadpReadProblem.TooLarge;
        if (IsComplete(key))
            return UadpReadProblem.Repeated;
        if (!_waiting.TryGetValue(key, out var payload))
        {
            MakeRoom(key.Publisher);
            _waiting.Add(key, payload = new Payload((int)total, time.GetTimestamp()));
        }

        var problem = payload.Add((int)offset, (int)total, data, options.MaxChunks);
        if (problem != UadpReadProblem.Waiting)
            return problem;
        payload.Held += data.Length + ChunkBytes;
        _waitingBytes += data.Length + ChunkBytes;
        var own = key;
        while (_waitingBytes > options.MaxWaitingBytes && _waiting.Count > 1)
            GiveUpOldest(one => one != own);
        if (payload.Bytes < payload.Total)
            return UadpReadProblem.Waiting;
        whole = payload.Join();
        Remove(key, payload);
        if (_completed.Count == Remembered)
            _completed.Dequeue();
        _completed.Enqueue((key, time.GetTimestamp()));
        return UadpReadProblem.None;
    }

    /// <summary>Of payloads whose last chunk does not come.</summary>
    public void GiveUpLate()
    {
        foreach (var (key, payload) in _waiting)
        {
            if (time.GetElapsedTime(payload.Started) <= options.ChunkTimeout)
                continue;
            Remove(key, payload);
            counters.CountChunkTimeout();
        }
    }

    private void MakeRoom(UadpPublisherId? publisher)
    {
        if (_waiting.Keys.Count(one => one.Publisher == publisher) >= options.MaxWaitingPayloadsOfPublisher)
            GiveUpOldest(one => one.Publisher == publisher);
        if (_waiting.Count >= options.MaxWaitingPayloads)
            GiveUpOldest(static _ => true);
    }

    private void GiveUpOldest(Func<UadpChunkKey, bool> isOne)
    {
        var oldest = _waiting.Where(pair => isOne(pair.Key)).MinBy(static pair => pair.Value.Started);
        Remove(oldest.Key, oldest.Value);
        counters.Count(UadpReadProblem.ChunksFull);
    }

    private bool IsComplete(in UadpChunkKey key)
    {
        while (_completed.TryPeek(out var oldest) && time.GetElapsedTime(oldest.At) > options.ChunkTimeout)
            _completed.Dequeue();
        foreach (var (completed, _) in _completed)
        {
            if (completed == key)
                return true;
        }

        return false;
    }

    private void Remove(in UadpChunkKey key, Payload payload)
    {
        _waiting.Remove(key);
        _waitingBytes -= payload.Held;
    }

    /// <summary>Chunks by their offset, none of which touches another one's bytes.</summary>
    private sealed class Payload(int total, long started)
    {
        private readonly SortedList<int, byte[]> _chunks = [];

        public int Total => total;

        public long Started => started;

        public int Bytes { get; private set; }

        /// <summary>With what each chunk takes besides its bytes.</summary>
        public long Held { get; set; }

        public UadpReadProblem Add(int offset, int claimedTotal, ReadOnlySpan<byte> data, int maxChunks)
        {
            if (claimedTotal != total)
                return UadpReadProblem.ChunkContradicts;
            var next = IndexFrom(offset);
            if (next < _chunks.Count && _chunks.Keys[next] == offset)
                return data.SequenceEqual(_chunks.Values[next])
                    ? UadpReadProblem.Repeated
                    : UadpReadProblem.ChunkContradicts;
            if (next < _chunks.Count && offset + data.Length > _chunks.Keys[next])
                return UadpReadProblem.ChunkContradicts;
            if (next > 0 && _chunks.Keys[next - 1] + _chunks.Values[next - 1].Length > offset)
                return UadpReadProblem.ChunkContradicts;
            if (_chunks.Count >= maxChunks)
                return UadpReadProblem.TooLarge;
            _chunks.Add(offset, data.ToArray());
            Bytes += data.Length;
            return UadpReadProblem.Waiting;
        }

        public byte[] Join()
        {
            var whole = new byte[total];
            foreach (var (offset, data) in _chunks)
                data.CopyTo(whole, offset);
            return whole;
        }

        /// <summary>The first chunk at or behind an offset.</summary>
        private int IndexFrom(int offset)
        {
            var (low, high) = (0, _chunks.Count);
            while (low < high)
            {
                var middle = (low + high) / 2;
                if (_chunks.Keys[middle] < offset)
                    low = middle + 1;
                else
                    high = middle;
            }

            return low;
        }
    }
}
