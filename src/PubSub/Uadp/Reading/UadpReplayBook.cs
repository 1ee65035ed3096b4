using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>
/// Tells sealed messages that were there before. Of each stream it has the numbers that have come. Of each publisher it
/// has the newest key: recorded messages of an older one, which nobody counts on any more, are not taken. Of each
/// writer it has the newest metadata, because a broker may keep an older one. Of probes it has the nonces: each
/// subscriber counts for itself, and a probe does not say whose it is. Only messages with a good signature come here.
/// Bounded. Outlives the reader, so that a change of the configuration forgets nothing. Owner: a ReaderGroup; one
/// thread at a time. Source: Part 14 §7.2.3.
/// </summary>
internal sealed class UadpReplayBook(TimeProvider time)
{
    /// <summary>Messages of the older key may still be on their way.</summary>
    private static readonly TimeSpan KeyGrace = TimeSpan.FromSeconds(30);

    private readonly Dictionary<UadpStream, UadpReplayWindow> _windows = [];
    private readonly Dictionary<Owner, NewestKey> _newest = [];
    private readonly Dictionary<(string Publisher, int Writer), UadpOrigin> _metaData = [];
    private readonly HashSet<Probe> _probes = [];
    private readonly Queue<Probe> _probesInOrder = [];

    /// <summary>Streams whose numbers are known.</summary>
    public int Records => _windows.Count;

    /// <summary>False: the message was there before, or is too old.</summary>
    /// <param name="stream">Of the message.</param>
    /// <param name="number">SequenceNumber of its nonce.</param>
    /// <param name="keySet">Holds its key.</param>
    /// <param name="options">Bounds.</param>
    public bool TryTake(in UadpStream stream, uint number, SecurityKeySet keySet, UadpReaderOptions options)
    {
        var now = time.GetTimestamp();
        if (IsRetired(stream, keySet, now) || !IsNew(stream, number, options, now))
            return false;
        NoteKey(stream, keySet, options, now);
        return true;
    }

    /// <summary>Of a probe. False: it was there among the last <see cref="UadpReaderOptions.MaxReplayRecords"/>, or its
    /// key is no longer used.</summary>
    /// <param name="stream">Of the message.</param>
    /// <param name="nonce">All of its nonce: the random part is the subscriber's.</param>
    /// <param name="keySet">Holds its key.</param>
    /// <param name="options">Bounds.</param>
    public bool TryTakeProbe(in UadpStream stream, ulong nonce, SecurityKeySet keySet, UadpReaderOptions options)
    {
        var now = time.GetTimestamp();
        var probe = new Probe(stream.Key, nonce);
        if (IsRetired(stream, keySet, now) || !_probes.Add(probe))
            return false;
        _probesInOrder.Enqueue(probe);
        if (_probesInOrder.Count > options.MaxReplayRecords)
            _probes.Remove(_probesInOrder.Dequeue());
        NoteKey(stream, keySet, options, now);
        return true;
    }

    /// <summary>Of metadata, which a broker gives again. False: it is older than what the writer's reader has.
    /// </summary>
    /// <param name="publisher">Its PublisherId.</param>
    /// <param name="writer">DataSetWriterId.</param>
    /// <param name="origin">Of the message; not sealed: it is taken.</param>
    /// <param name="keySet">Null: there are no keys.</param>
    /// <param name="mayBeginAnew">The writer has been silent for the
    /// <see cref="UadpReaderOptions.ReplayRecordLifetime"/>: its publisher may count from the start again, but not with
    /// an older key.</param>
    public bool TryTakeMetaData(
        string publisher, int writer, in UadpOrigin origin, SecurityKeySet? keySet, bool mayBeginAnew)
    {
        if (origin.Key is null || keySet is null)
            return true;
        if (_metaData.TryGetValue((publisher, writer), out var known))
        {
            var isOlder = known.Key == origin.Key
                ? origin.Number < known.Number && !mayBeginAnew
                : keySet.PlaceOf(origin.Key) < keySet.PlaceOf(known.Key!);
            if (isOlder)
                return false;
        }

        _metaData[(publisher, writer)] = origin;
        return true;
    }

    private void NoteKey(in UadpStream stream, SecurityKeySet keySet, UadpReaderOptions options, long now)
    {
        var owner = new Owner(stream.Publisher);
        if (_newest.TryGetValue(owner, out var newest) &&
            (newest.Key == stream.Key || keySet.PlaceOf(stream.Key) <= keySet.PlaceOf(newest.Key)))
            return;
        if (_newest.Count >= options.MaxReplayRecords)
            _newest.Remove(_newest.MinBy(static pair => pair.Value.Since).Key);
        _newest[owner] = new NewestKey(stream.Key, now);
    }

    private bool IsRetired(in UadpStream stream, SecurityKeySet keySet, long now) =>
        _newest.TryGetValue(new Owner(stream.Publisher), out var newest) && newest.Key != stream.Key &&
        keySet.PlaceOf(stream.Key) < keySet.PlaceOf(newest.Key) && time.GetElapsedTime(newest.Since, now) > KeyGrace;

    private bool IsNew(in UadpStream stream, uint number, UadpReaderOptions options, long now)
    {
        var isNew = true;
        if (!_windows.TryGetValue(stream, out var window))
        {
            if (_windows.Count >= options.MaxReplayRecords)
                _windows.Remove(_windows.MinBy(static pair => pair.Value.LastUse).Key);
            _windows.Add(stream, window = new UadpReplayWindow());
            window.Open(number);
        }
        else if (time.GetElapsedTime(window.LastUse, now) > options.ReplayRecordLifetime)
        {
            // Where it counts from the start again, its metadata does, too.
            if (window.IsBehind(number) && stream.Publisher?.ToString() is { } publisher)
                ForgetMetaData(publisher);
            window.Open(number);
        }
        else
        {
            isNew = window.TryAccept(number);
        }

        if (isNew)
            window.LastUse = now;
        return isNew;
    }

    private void ForgetMetaData(string publisher)
    {
        foreach (var its in _metaData.Keys.Where(one => one.Publisher == publisher).ToList())
            _metaData.Remove(its);
    }

    private readonly record struct Probe(string Key, ulong Nonce);

    private readonly record struct Owner(UadpPublisherId? Publisher);

    private readonly record struct NewestKey(string Key, long Since);
}
