using Gateway.Codec.Pooling;
using Gateway.Store.Marks;
using Gateway.Store.Records;
using Gateway.Testing;

namespace Gateway.Store.Tests;

/// <summary>A backlog from its newest record backwards.</summary>
public sealed class NewestFirstTests : IDisposable
{
    private const int Records = 3000;

    private static readonly StoreOptions Options = Logs.Small with
    {
        Order = ReadOrder.NewestFirst,
        MaxBytes = 64 * 1024 * 1024,
        MaxOutstanding = 10_000,
    };

    private readonly MemoryFiles _files = new();

    public void Dispose() => _files.Dispose();

    /// <summary>Little memory has the newest few blocks; with much of it, all but the newest block are left to the
    /// disk.</summary>
    [Theory]
    [InlineData(1, 1000)]
    [InlineData(8, 260)]
    public void Backlog_NewestInOrder_ThenBackwards(int memoryMegabytes, int mostInOrder)
    {
        var log = Filled(_files, options: Options with { MemoryBytes = memoryMegabytes << 20 });

        var read = log.ReadAll();

        Assert.Equal(Logs.Numbers(1, Records), read.Order());
        Assert.Empty(log.Gaps);
        var live = read.IndexOf(Records) + 1;
        Assert.InRange(live, 1, mostInOrder);
        Assert.Equal(read.Take(live), read.Take(live).Order());
        Assert.Equal(read.Skip(live), read.Skip(live).OrderDescending());
        Assert.Equal(0, log.State.Records);
    }

    /// <summary>What comes meanwhile goes before the backlog.</summary>
    [Fact]
    public void LiveData_BesideABacklog_ComesFirst()
    {
        var log = Filled(_files);
        List<long> read = [];
        for (var i = 0; i < 1000; i++)
            read.Add(ReadOne(log));

        var live = log.Append(1);
        log.Turn();
        Assert.Equal(live, ReadOne(log));
        read.Add(live);
        read.AddRange(log.ReadAll());

        Assert.Equal(Logs.Numbers(1, Records + 1), read.Order());
        Assert.Empty(log.Gaps);
    }

    /// <summary>At least once: what was acknowledged and saved does not come again, all else does.</summary>
    [Fact]
    public void Killed_InTheBacklog_GoesOnWithTheNewestThatIsNotDone()
    {
        var time = new ManualTimeProvider();
        var log = Filled(_files, time);
        List<long> acknowledged = [];
        while (acknowledged.Count < 1500)
            acknowledged.Add(ReadOne(log));
        Assert.True(log.TryRead(out var held));
        time.Advance(5000);
        log.Turn();

        using var files = _files.Copy();
        log = Logs.Stepped(files, Options, time);
        var read = log.ReadAll();

        Assert.Equal(Logs.Numbers(1, Records).Except(acknowledged), read.Order());
        Assert.Equal(read, read.OrderDescending());
        Assert.Contains(held.Sequence, read);
        Assert.Empty(log.Gaps);
    }

    /// <summary>Segments whose records are done with go, wherever they are.</summary>
    [Fact]
    public void Acknowledged_Backwards_TheNewestSegmentsAreDeletedFirst()
    {
        var time = new ManualTimeProvider();
        var log = Filled(_files, time);
        var before = log.State.StoredBytes;
        for (var i = 0; i < 1500; i++)
            ReadOne(log);
        time.Advance(5000);
        log.Turn();
        time.Advance(5000);
        log.Turn();

        Assert.InRange(log.State.StoredBytes, 1, before * 2 / 3);
        Assert.Equal(Records - 1500, log.State.Records);
        Assert.Equal(Records - 1500, log.ReadAll().Count);
    }

    [Fact]
    public void Returned_ComesAgainBeforeAllOthers()
    {
        var log = Filled(_files);
        ReadOne(log);
        Assert.True(log.TryRead(out var first));
        Assert.True(log.TryRead(out _));

        Assert.True(log.Return(first.Sequence));

        Assert.True(log.TryRead(out var again));
        Assert.Equal(first.Sequence, again.Sequence);
    }

    /// <summary>Damaged bytes in the middle are a gap, and what is older still comes.</summary>
    [Fact]
    public void Damaged_InTheMiddle_OnlyThatIsLost()
    {
        var log = Filled(_files);
        Assert.True(log.State.Records == Records);
        using var files = _files.Copy();
        files.Content[files.Segments[3]].AsSpan(5000, 2000).Fill(0xA5);

        log = Logs.Stepped(files, Options);
        var read = log.ReadAll();

        var lost = log.Gaps.SelectMany(gap => Logs.Numbers(gap.From, gap.To)).ToList();
        Assert.InRange(lost.Count, 1, 10);
        Assert.Equal(Logs.Numbers(1, Records).Except(lost), read.Order());
        Assert.Equal(read, read.OrderDescending());
    }

    /// <summary>A segment is walked through before its pieces can be read backwards: that is reading, too.</summary>
    [Fact]
    public void Walk_ThroughALargeSegment_KeepsToTheDrainRate()
    {
        const int PerSecond = 128 * 1024;
        var large = Options with { SegmentBytes = 4 * 1024 * 1024 };
        Filled(_files, options: large);
        var time = new ManualTimeProvider();
        using var files = _files.Copy();
        var log = Logs.Stepped(files, large with { MaxDrainBytesPerSecond = PerSecond }, time);
        var before = files.BytesRead;
        for (var i = 0; i < 50; i++)
        {
            log.Turn();
            time.Advance(100);
        }

        Assert.InRange(files.BytesRead - before, PerSecond, 6 * PerSecond);
    }

    /// <summary>Newer data goes to the disk again and again while an older segment is read.</summary>
    [Fact]
    public void LiveData_OnDiskBesideABacklog_EachSegmentIsWalkedThroughOnce()
    {
        var few = Options with { MemoryBytes = 1024 * 1024, SegmentBytes = 512 * 1024 };
        var log = Filled(_files, options: few);
        var before = _files.BytesRead;
        for (var i = 0; i < 60; i++)
        {
            log.Append(20, 1000);
            log.Turn();
            for (var reads = 0; reads < 10; reads++)
                ReadOne(log);
        }

        log.ReadAll();
        // Once to walk, once to read, and blocks that newer ones pushed out.
        Assert.InRange(_files.BytesRead - before, 1, 4 * (Records + 1200) * 1100L);
    }

    /// <summary>Each time that live data overtakes a backlog, a range more is done with. The marks file has room for
    /// 4,096: above half of it holes are filled from below, and none is made.</summary>
    [Theory]
    [InlineData(ReadOrder.NewestFirst, 2047, 4999)]
    [InlineData(ReadOrder.NewestFirst, 2048, 1)]
    [InlineData(ReadOrder.LiveFirst, 2047, 0)]
    [InlineData(ReadOrder.LiveFirst, 2048, 0)]
    public void LiveData_OvertakesForEver_HolesAreBounded(ReadOrder order, int ranges, long wanted)
    {
        const long Next = 5000;
        (long, long)[] done = [.. Enumerable.Range(1, ranges).Select(static i => (2L * i, 2L * i))];
        var book = new LogBook(
            Options with { Order = order }, new ManualTimeProvider(),
            new MarksSnapshot(1, 1, Next, 0, done, []), 0, Next, new AsyncSignal(), new DiskSignal(),
            new BlockPool(ByteArrays.Rent));
        Assert.True(book.TryAppend(1, 3, [], [1, 2, 3], out var live));
        book.Offer(live, offersAll: false);
        Assert.NotNull(book.RentAhead(Block.Bytes, out var newest));
        Assert.Equal(wanted, newest);
        var isCrowded = ranges == 2048;
        Assert.Equal(!isCrowded, book.TryRead(out var message));
        if (isCrowded)
        {
            // A disk that fails has no backlog to give: nothing waits for it.
            book.Offer(live, offersAll: true);
            Assert.True(book.TryRead(out message));
        }

        Assert.Equal(live, message.Sequence);
    }

    /// <summary>With a disk that has all of them.</summary>
    private static StoreLog Filled(MemoryFiles files, TimeProvider? time = null, StoreOptions? options = null)
    {
        var log = Logs.Stepped(files, options ?? Options, time);
        for (var i = 0; i < Records / 10; i++)
        {
            log.Append(10, 1000);
            log.Turn();
        }

        return log;
    }

    private static long ReadOne(StoreLog log)
    {
        StoredMessage message;
        while (!log.TryRead(out message))
            log.Turn();
        Assert.True(log.Acknowledge(message.Sequence));
        return message.Sequence;
    }
}
