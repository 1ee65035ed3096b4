using Gateway.Testing;

namespace Gateway.Store.Tests;

public sealed class StoreLogTests : IDisposable
{
    private readonly MemoryFiles _files = new();
    private readonly ManualTimeProvider _time = new();

    public void Dispose() => _files.Dispose();

    [Fact]
    public void TryRead_BeforeTheDiskHasTheRecord_OffersNothing()
    {
        var log = Logs.Stepped(_files);
        log.Append(1);

        Assert.False(log.TryRead(out _));
        log.Turn();
        Assert.True(log.TryRead(out var message));
        Logs.Check(message);
        Assert.Equal(1, message.Sequence);
    }

    /// <summary>The segment grows in both cases.</summary>
    [Fact]
    public void UntilFull_OfAConsumerThatKeepsUp_IsUnknownAndOfABacklogIsKnown()
    {
        var log = Logs.Stepped(_files, time: _time);
        List<TimeSpan?> untilFull = [];
        for (var second = 0; second < 30; second++)
        {
            _time.Advance(1000);
            log.AppendAndTurn(10);
            if (second < 15)
                log.ReadAll();
            untilFull.Add(log.State.UntilFull);
        }

        Assert.True(log.State.GrowthBytesPerSecond > 1);
        Assert.All(untilFull[..15], static one => Assert.Null(one));
        Assert.InRange(untilFull[^1]!.Value.TotalSeconds, 1, Logs.Small.MaxBytes);
    }

    [Fact]
    public void TryRead_OfAConsumerThatKeepsUp_ComesInOrder()
    {
        var log = Logs.Stepped(_files);
        List<long> read = [];
        for (var i = 0; i < 100; i++)
        {
            log.Append(10, 1000);
            log.Turn();
            read.AddRange(log.ReadAll());
        }

        Assert.Equal(Logs.Numbers(1, 1000), read);
        Assert.Empty(log.Gaps);
    }

    [Fact]
    public void TryRead_OfAConsumerFarBehind_ComesInOrderFromTheDisk()
    {
        var log = Logs.Stepped(_files, Logs.Small with { MaxBytes = 64 * 1024 * 1024 });
        for (var i = 0; i < 500; i++)
        {
            log.Append(10, 1000);
            log.Turn();
        }

        var read = log.ReadAll();

        Assert.Equal(Logs.Numbers(1, 5000), read);
        Assert.Empty(log.Gaps);
    }

    [Fact]
    public async Task Open_AfterAnOrderlyEnd_BringsTheUnacknowledged()
    {
        var log = Logs.Stepped(_files);
        log.Append(20);
        log.Turn();
        var read = log.ReadAll(acknowledges: false);
        foreach (var sequence in read.Where(sequence => sequence % 3 == 0))
            Assert.True(log.Acknowledge(sequence));
        await log.DisposeAsync();

        var next = Logs.Stepped(_files);

        Assert.Equal(read.Where(sequence => sequence % 3 != 0), next.ReadAll());
        Assert.Equal(21, next.Append(1));
    }

    [Fact]
    public void Open_AfterAKill_BringsAllThatWasOffered()
    {
        var log = Logs.Stepped(_files);
        log.Append(20);
        log.Turn();
        log.Append(5);

        var next = Logs.Stepped(_files.Copy());

        Assert.Equal(Logs.Numbers(1, 20), next.ReadAll());
        Assert.Equal(21, next.Append(1));
        Assert.Empty(next.Gaps);
    }

    [Fact]
    public void Commit_AfterItsInterval_BoundsTheRepeats()
    {
        var log = Logs.Stepped(_files, time: _time);
        log.Append(20);
        log.Turn();
        for (var i = 0; i < 10; i++)
            Assert.True(log.TryRead(out var message) && log.Acknowledge(message.Sequence));
        _time.Advance(1001);
        log.Turn();

        Assert.Equal(Logs.Numbers(11, 20), Logs.Stepped(_files.Copy()).ReadAll());
    }

    [Fact]
    public void Segments_WhollyAcknowledged_AreDeleted()
    {
        var log = Logs.Stepped(_files, time: _time);
        for (var i = 0; i < 10; i++)
        {
            log.Append(70, 1000);
            log.Turn();
        }

        Assert.True(_files.Segments.Count > 5);
        log.ReadAll();
        _time.Advance(1001);
        log.Turn();

        Assert.Single(_files.Segments);
        Assert.Empty(Logs.Stepped(_files.Copy()).ReadAll());
    }

    [Fact]
    public void Return_OfAMessage_BringsItBeforeAllOthers()
    {
        var log = Logs.Stepped(_files);
        log.Append(4);
        log.Turn();
        Assert.True(log.TryRead(out var first));
        Assert.True(log.TryRead(out var second));
        Assert.True(log.Return(second.Sequence));
        Assert.True(log.Return(first.Sequence));
        Assert.False(log.Return(first.Sequence));

        Assert.Equal([1, 2, 3, 4], log.ReadAll());
        Assert.False(log.Acknowledge(first.Sequence));
    }

    [Fact]
    public void Discard_OfAMessage_IsAGap()
    {
        var log = Logs.Stepped(_files);
        log.Append(2);
        log.Turn();
        log.ReadAll(acknowledges: false);
        Assert.True(log.Discard(1));

        var gap = Assert.Single(log.Gaps);
        Assert.Equal((GapReason.Discarded, 1, 1, 1L), (gap.Reason, gap.From, gap.To, gap.Count));
        Assert.Equal(1, gap.Writers[7]);
    }

    [Fact]
    public void TryRead_AboveMaxOutstanding_WaitsForAnAcknowledgement()
    {
        var log = Logs.Stepped(_files, Logs.Small with { MaxOutstanding = 3 });
        log.Append(5);
        log.Turn();
        for (var i = 0; i < 3; i++)
            Assert.True(log.TryRead(out _));

        Assert.False(log.TryRead(out _));
        Assert.True(log.Acknowledge(2));
        Assert.True(log.TryRead(out var fourth));
        Assert.Equal(4, fourth.Sequence);
    }

    [Fact]
    public void MaxBytes_Exceeded_TheOldestSegmentGoesWithAGap()
    {
        var log = Logs.Stepped(_files);
        for (var i = 0; i < 100; i++)
        {
            log.Append(20, 2000, (ushort)(i % 2));
            log.Turn();
        }

        Assert.InRange(log.State.StoredBytes, 1, Logs.Small.MaxBytes);
        var gap = Assert.Single(log.Gaps);
        Assert.Equal((GapReason.Overwritten, 1L), (gap.Reason, gap.From));
        Assert.Equal(gap.To, gap.Count);
        Assert.Equal(gap.Count, gap.Writers[0] + gap.Writers[1]);
        Assert.Equal(Logs.Numbers(gap.To + 1, 2000), log.ReadAll());
        Assert.Equal(log.State.Lost, gap.Count);
    }

    [Fact]
    public void LiveFirst_WithABacklog_BringsLiveDataFirstAndLosesNothing()
    {
        var options = Logs.Small with { Order = ReadOrder.LiveFirst, MaxBytes = 64 * 1024 * 1024 };
        var log = Logs.Stepped(_files, options);
        for (var i = 0; i < 300; i++)
        {
            log.Append(10, 1000);
            log.Turn();
        }

        Assert.True(log.TryRead(out var live));
        Assert.True(live.Sequence > 1000);
        Assert.True(log.Acknowledge(live.Sequence));
        var read = log.ReadAll();

        Assert.Equal(Logs.Numbers(1, 3000), read.Append(live.Sequence).Order());
        Assert.Equal(1, read[(int)(3000 - live.Sequence)]);
        Assert.Empty(log.Gaps);
    }

    [Fact]
    public async Task WaitToReadAsync_OfAnEmptyLog_EndsWithARecord()
    {
        var log = Logs.Stepped(_files);
        Assert.True(await log.WaitToReadAsync());
        Assert.False(log.TryRead(out _));
        var waiting = log.WaitToReadAsync().AsTask();
        Assert.False(waiting.IsCompleted);
        log.Append(1);
        log.Turn();

        Assert.True(await waiting.WaitAsync(Patience.Limit));
        await log.DisposeAsync();
        Assert.False(await log.WaitToReadAsync());
        Assert.False(log.TryAppendNext(out _));
    }
}
