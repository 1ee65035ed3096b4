using Gateway.Publish.Items;

namespace Gateway.Publish.Subscriptions;

/// <summary>The notes of a durable subscription for its next save: changed items, deleted ones,
/// and the bytes of its queues. Owner: the subscription, under its shard's lock. Source: Part 4 §6.8.</summary>
internal sealed class DurableState(DurableBook book, Subscription subscription, DurableHolder holder)
{
    /// <summary>Deleted items that may wait for a save beside those that are there.</summary>
    private const int MaxGone = 1024;

    /// <summary>Sequence numbers that may be used between two saves, besides one in each publishing interval. Behind a
    /// kill the client sees a gap of so many at most.</summary>
    private const int NumbersBetweenSaves = 256;

    private long _bytes;
    private long _taken;
    private long _preparedNumbers;
    private long _savedNumbers = long.MaxValue;

    public Subscription Subscription { get; } = subscription;

    /// <summary>The client for which it counts. Changed by the book.</summary>
    public DurableHolder Holder { get; set; } = holder;

    /// <summary>As revised.</summary>
    public uint LifetimeHours { get; set; }

    /// <summary>Items whose queue, last value or parameters the disk does not have as they are.</summary>
    public Queue<MonitoredItem> Changed { get; } = new();

    /// <summary>Items that the disk still has.</summary>
    public List<uint> Deleted { get; } = [];

    /// <summary>Of its queues, as they lie on disk.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>The subscription is closed: its file goes.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>The next sequence number is one that the next process will not use: the disk says up to where this one
    /// may go (<see cref="NumbersAhead"/>). False: until the next save, only keep-alives leave.</summary>
    public bool HasNumber => _taken < Interlocked.Read(ref _savedNumbers);

    /// <summary>Behind its last save a process may have used so many numbers; the next one begins behind them.
    /// </summary>
    public uint NumbersAhead => NumbersAheadOf(book.Limits, Subscription.Times.PublishingIntervalMs);

    public static uint NumbersAheadOf(PublishLimits limits, double publishingIntervalMs) =>
        NumbersBetweenSaves + (uint)Math.Min(
            int.MaxValue, Math.Ceiling(2 * limits.DurableSaveInterval.TotalMilliseconds / publishingIntervalMs));

    public void OnNumberTaken()
    {
        _taken++;
        if (Interlocked.Read(ref _savedNumbers) - _taken < NumbersBetweenSaves / 2)
            book.AskForSave();
    }

    public void CountNumberWait() => book.CountNumberWait();

    /// <summary>Of a restored one: its file may be used for another start as long as this process has saved nothing.
    /// </summary>
    public void HoldNumbers() => _savedNumbers = 0;

    /// <summary>A commit of now is made. Before the first one there is nothing that another process could find.
    /// </summary>
    /// <param name="ahead">Numbers that it allows.</param>
    public void PrepareNumbers(uint ahead)
    {
        _preparedNumbers = _taken + ahead;
        // Messages that leave while the commit is on its way count, too.
        if (_savedNumbers > _preparedNumbers)
            Interlocked.Exchange(ref _savedNumbers, _preparedNumbers);
    }

    /// <summary>That commit is on disk. On the saver's thread, as <see cref="PrepareNumbers"/>.</summary>
    public void ConfirmNumbers() => Interlocked.Exchange(ref _savedNumbers, _preparedNumbers);

    /// <summary>Its consumer is another one, or has another owner.</summary>
    public void OnOwnerChanged() => book.Follow(this);

    public bool HasRoomFor(int bytes) =>
        _bytes + bytes <= book.Limits.MaxDurableBytesPerSubscription && book.HasRoomFor(bytes, Holder);

    public void AddBytes(long change)
    {
        Interlocked.Add(ref _bytes, change);
        Holder.AddBytes(change);
        book.AddBytes(change);
    }

    /// <summary>No cap is asked.</summary>
    public void AddItems(int change)
    {
        Holder.AddItems(change);
        book.AddItems(change);
    }

    public void CountShortage() => book.CountShortage();

    public void OnItemDeleted(uint id)
    {
        Deleted.Add(id);
        AddItems(-1);
        // While the disk refuses, no save takes them out.
        if (Changed.Count <= (2 * Subscription.Items.Count) + MaxGone)
            return;
        for (var left = Changed.Count; left > 0; left--)
        {
            if (Changed.Dequeue() is var item && !item.ExtrasOrNull!.Durable!.IsGone)
                Changed.Enqueue(item);
        }
    }

    public void OnEnded()
    {
        if (IsEnded)
            return;
        IsEnded = true;
        Changed.Clear();
        AddItems(-Subscription.Items.Count);
        book.Remove(this);
    }
}
