namespace Gateway.AddressSpace.Values;

/// <summary>
/// Changes handed to one shard in one step. Owner: the producer until it is in the inbox, then the shard, which returns
/// it by <see cref="ChangeInbox.Recycle"/>; the entries' references are the shard's. At most <see cref="MaxChanges"/>.
/// </summary>
public sealed class ChangeBatch
{
    /// <summary>Bounds the work of a shard under its lock in one slice.</summary>
    internal const int MaxChanges = 256;

    private ValueChange[] _changes = new ValueChange[4];
    private int _count;

    internal ChangeBatch()
    {
    }

    /// <summary>When its changes came: a timestamp of the store's clock, one for all of them. A consumer judges changes
    /// by this time, not by the time at which it processes them.</summary>
    public long Arrival { get; internal set; }

    public ReadOnlySpan<ValueChange> Changes => _changes.AsSpan(0, _count);

    internal int Count => _count;

    internal bool IsFull => _count == MaxChanges;

    internal void Add(ValueChange change)
    {
        if (_count == _changes.Length)
            Array.Resize(ref _changes, 2 * _count);
        _changes[_count++] = change;
    }

    internal void Reset()
    {
        Array.Clear(_changes, 0, _count);
        _count = 0;
    }
}
