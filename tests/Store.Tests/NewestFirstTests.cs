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
