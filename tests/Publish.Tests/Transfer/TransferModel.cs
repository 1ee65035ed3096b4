namespace Gateway.Publish.Tests.Transfer;

/// <summary>What a client may expect of one subscription, whichever session it is in: sequence numbers without a gap,
/// each item's values in order and once, and the messages that it has not acknowledged.</summary>
internal sealed class TransferModel(uint id, int user)
{
    public uint Id => id;

    public int User => user;

    /// <summary>The session it is in; a closed one keeps it.</summary>
    public int Session { get; set; }

    public uint NextSequence { get; set; } = 1;

    public SortedDictionary<uint, string> Kept { get; } = [];

    /// <summary>Client handle → the item's node and the values that are still to come.</summary>
    public Dictionary<uint, (uint Node, Queue<double> Pending, double Last)> Items { get; } = [];

    public void Change(uint node, double value)
    {
        foreach (var (watched, pending, _) in Items.Values)
        {
            if (watched == node)
                pending.Enqueue(value);
        }
    }

    /// <summary>Items with nothing to come send their last value once more.</summary>
    public void Resend()
    {
        foreach (var (_, pending, last) in Items.Values)
        {
            if (pending.Count == 0 && !double.IsNaN(last))
                pending.Enqueue(last);
        }
    }

    public void Receive(uint handle, double value)
    {
        var (node, pending, _) = Items[handle];
        Assert.True(pending.TryDequeue(out var expected), $"{id}: item {handle} sent {value} unasked");
        Assert.Equal(expected, value);
        Items[handle] = (node, pending, value);
    }
}
