using Gateway.Codec.Pooling;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Store.Tests.Faults;

public sealed class DiskFaultTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void FullDisk_WithRoomInMemory_LosesNothing()
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files, time: _time);
        log.AppendAndTurn(5);
        files.BytesUntilFailure = 300;
        log.AppendAndTurn(50, 1000);

        Assert.False(log.State.IsWriting);
        Assert.Contains("space", log.State.LastError!);
        Assert.Equal(Logs.Numbers(1, 55), log.ReadAll(acknowledges: false));
        Assert.True(log.TryAppendNext(out _));
        Assert.True(log.TryRead(out var live));
        Assert.Equal(56, live.Sequence);

        files.BytesUntilFailure = null;
        _time.Advance(1001);
        log.Turn();
        Assert.True(log.State.IsWriting);
        Assert.Equal(Logs.Numbers(1, 56), Logs.Stepped(files.Copy()).ReadAll());
        Assert.Empty(log.Gaps);
    }

    [Fact]
    public void FullDisk_WithoutRoomInMemory_CountsAGapAndGoesOnWhenThereIsRoom()
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files, time: _time);
        log.AppendAndTurn(1);
        files.BytesUntilFailure = 0;
        var kept = 1L;
        while (log.TryAppendNext(out var sequence, 10_000))
            kept = sequence;
        log.Turn();
        Assert.False(log.TryAppendNext(out _, 10_000, writer: 9));

        var gap = Assert.Single(log.Gaps);
        Assert.Equal((GapReason.QueueFull, kept + 1, 2L, 1L), (gap.Reason, gap.From, gap.Count, gap.Writers[9]));
        files.BytesUntilFailure = null;
        _time.Advance(1001);
        log.Turn();
        Assert.True(log.TryAppendNext(out var next));
        log.Turn();
        Assert.Equal([.. Logs.Numbers(1, kept), next], log.ReadAll());
        Assert.Single(log.Gaps);
    }

    [Fact]
    public async Task SlowDisk_NobodyWaitsForIt_WhatMemoryHasNoRoomForIsAGap()
    {
        using var files = new MemoryFiles();
        using ManualResetEventSlim goesOn = new();
        var began = new TaskCompletionSource();
        var log = Logs.Stepped(files, time: _time);
        log.Append(1);
        files.Writing = () =>
        {
            began.TrySetResult();
            goesOn.Wait();
        };
        var turn = Task.Run(log.Turn);
        await began.Task.WaitAsync(Patience.Limit);
        var kept = log.Append(50, 1000);
        while (log.TryAppendNext(out var sequence, 10_000))
            kept = sequence;
        Assert.False(log.TryAppendNext(out _, 10_000, writer: 9));
        Assert.False(turn.IsCompleted);

        goesOn.Set();
        await turn.WaitAsync(Patience.Limit);

        Assert.Equal(Logs.Numbers(1, kept), log.ReadAll());
        var gap = Assert.Single(log.Gaps);
        Assert.Equal((GapReason.QueueFull, kept + 1, 2L, 1L), (gap.Reason, gap.From, gap.Count, gap.Writers[9]));
        Assert.True(log.State.IsWriting);
    }

    /// <summary>What a write left behind when it failed does not stand behind the records that replace it.</summary>
    [Fact]
    public void FailedWrite_RecordsAcknowledgedFromMemory_LaterOnesAreReadAfterAKill()
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files, time: _time);
        log.AppendAndTurn(1, 1000);
        // One block of memory and the beginning of the next.
        files.BytesUntilFailure = 200_000;
        log.AppendAndTurn(260, 1000);
        Assert.Equal(Logs.Numbers(1, 261), log.ReadAll());
        Assert.True(files.Content[files.Segments[0]].Length > 200_000);
        files.BytesUntilFailure = null;
        _time.Advance(1001);

        log.AppendAndTurn(3, 1000);

        using var later = files.Copy();
        var next = Logs.Stepped(later);
        Assert.Equal(Logs.Numbers(262, 264), next.ReadAll().Where(static number => number > 261));
        Assert.DoesNotContain(next.Gaps, static gap => gap.To > 261);
    }

    /// <summary>The file that was torn is written again, not the only whole one.</summary>
    [Fact]
    public void FailedSaves_OfTheMarks_OneFileStaysWhole()
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files, time: _time);
        log.AppendAndTurn(5);
        Assert.Equal(5, log.ReadAll().Count);
        _time.Advance(1001);
        log.Turn();
        for (var fault = 0; fault < 3; fault++)
        {
            log.AppendAndTurn(1);
            log.ReadAll();
            files.BytesUntilFailure = 30;
            _time.Advance(1001);
            log.Turn();
            files.BytesUntilFailure = null;
        }

        using var later = files.Copy();
        Assert.DoesNotContain(Logs.Stepped(later).ReadAll(), static number => number <= 5);
    }

    [Fact]
    public void FullDisk_WithAConsumer_GoesOnForEver()
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files, time: _time);
        files.BytesUntilFailure = 0;
        for (var i = 0; i < 100; i++)
        {
            log.AppendAndTurn(10, 10_000);
            Assert.Equal(10, log.ReadAll().Count);
        }

        Assert.Empty(log.Gaps);
    }

    /// <summary>The disk is smaller than a segment: the one that grows fills it. The oldest records are read from it,
    /// the others are in memory still.</summary>
    [Theory]
    [InlineData(ReadOrder.OldestFirst)]
    [InlineData(ReadOrder.LiveFirst)]
    [InlineData(ReadOrder.NewestFirst)]
    public void FullDisk_WithinTheSegmentThatGrows_WritesAgainOnceAllOfItIsDone(ReadOrder order)
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(
            files, Logs.Small with { SegmentBytes = 512 * 1024, Order = order }, _time);
        log.AppendAndTurn(1);
        files.Capacity = files.Content.Values.Sum(content => content.Length) + 400_000;
        for (var i = 0; i < 120; i++)
            log.AppendAndTurn(1, 10_000);
        Assert.False(log.State.IsWriting);
        Assert.Single(files.Segments);

        Assert.Equal(Logs.Numbers(1, 121), log.ReadAll().Order());
        Assert.InRange(files.BytesRead, 1, long.MaxValue);
        for (var i = 0; i < 2; i++)
        {
            _time.Advance(1001);
            log.AppendAndTurn(1, 1000);
        }

        Assert.True(log.State.IsWriting);
        using var later = files.Copy();
        Assert.Equal(Logs.Numbers(122, 123), Logs.Stepped(later).ReadAll());
        Assert.Empty(log.Gaps);
    }

    /// <summary>R40: a block that memory is short for is a queue that is full: a counted gap, and no number that is
    /// for ever neither there nor lost. A reader that finds none waits.</summary>
    [Fact]
    public void NoMemory_ForABlock_CountsAGapAndReadsOnLater()
    {
        using var files = new MemoryFiles();
        Logs.Stepped(files).AppendAndTurn(5);
        var isShort = true;
        var log = Logs.Stepped(files, time: _time, rent: bytes => isShort ? throw new InsufficientMemoryException()
            : ByteArrays.Rent(bytes));

        Assert.False(log.TryAppendNext(out _, writer: 9));
        Assert.Empty(log.ReadAll());
        isShort = false;
        Assert.True(log.TryAppendNext(out _));
        Assert.Equal([1, 2, 3, 4, 5, 7], log.ReadAll());

        var gap = Assert.Single(log.Gaps);
        Assert.Equal((GapReason.QueueFull, 6L, 6L, 1L), (gap.Reason, gap.From, gap.To, gap.Writers[9]));
        Assert.Equal((0L, 0L), (log.State.Records, log.State.DiskErrors));
    }

    [Fact]
    public void FullDisk_StillSavesAcknowledgementsAndDeletesSegments()
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files, time: _time);
        for (var i = 0; i < 10; i++)
            log.AppendAndTurn(70, 1000);
        files.Capacity = files.Content.Values.Sum(content => content.Length);
        log.ReadAll();
        _time.Advance(1001);
        log.Turn();

        Assert.Single(files.Segments);
        Assert.Equal(0, log.State.DiskErrors);
    }

    [Fact]
    public void Kill_WhileTheDiskIsFull_SaysWhichRecordsAreMissing()
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files, time: _time);
        log.AppendAndTurn(5);
        files.Capacity = files.Content.Values.Sum(content => content.Length);
        log.AppendAndTurn(5);
        log.Append(5);
        _time.Advance(1001);
        log.Turn();
        using var later = files.Copy();
        var next = Logs.Stepped(later);

        Assert.Equal(Logs.Numbers(1, 5), next.ReadAll());
        var gap = Assert.Single(next.Gaps);
        Assert.Equal((GapReason.Unreadable, 6, 15L), (gap.Reason, gap.From, gap.To));
    }

    [Fact]
    public void ReadOnlyDisk_Opens_BringsTheBacklogAndKeepsNewRecordsInMemory()
    {
        using var files = new MemoryFiles();
        Logs.Stepped(files).AppendAndTurn(5);
        files.IsReadOnly = true;
        var log = Logs.Stepped(files);
        log.AppendAndTurn(5);

        Assert.Equal(Logs.Numbers(1, 10), log.ReadAll());
        Assert.False(log.State.IsWriting);
    }

    [Fact]
    public void ReadErrors_ThatPass_LoseNothing()
    {
        using var files = new MemoryFiles();
        Logs.Stepped(files).AppendAndTurn(5);
        var log = Logs.Stepped(files, time: _time);
        files.FailsToRead = true;
        log.Turn();
        Assert.False(log.TryRead(out _));
        Assert.True(log.State.DiskErrors > 0);
        files.FailsToRead = false;
        _time.Advance(1001);

        Assert.Equal(Logs.Numbers(1, 5), log.ReadAll());
        Assert.Empty(log.Gaps);
    }

    /// <summary>Ten seconds without descriptors, and more, are no reason to give up a segment that is intact.</summary>
    [Theory]
    [InlineData(ReadOrder.OldestFirst)]
    [InlineData(ReadOrder.NewestFirst)]
    [InlineData(ReadOrder.LiveFirst)]
    public void OpenErrors_ThatPass_LoseNothing(ReadOrder order)
    {
        using var files = new MemoryFiles();
        Logs.Stepped(files).AppendAndTurn(5);
        var log = Logs.Stepped(files, Logs.Small with { Order = order }, _time);
        files.FailsToOpen = true;
        for (var i = 0; i < 30; i++)
        {
            log.Turn();
            _time.Advance(1001);
        }

        Assert.False(log.TryRead(out _));
        files.FailsToOpen = false;
        // These tries do not count for one that is open.
        files.FailsToRead = true;
        log.Turn();
        _time.Advance(1001);
        files.FailsToRead = false;
        Assert.Equal(Logs.Numbers(1, 5), log.ReadAll().Order());
        Assert.Empty(log.Gaps);
    }

    /// <summary>Somebody deleted it: it does not come back.</summary>
    [Theory]
    [InlineData(ReadOrder.OldestFirst)]
    [InlineData(ReadOrder.NewestFirst)]
    public void SegmentIsGone_IsAGapAfterAWhile(ReadOrder order)
    {
        using var files = new MemoryFiles();
        Logs.Stepped(files).AppendAndTurn(5);
        var log = Logs.Stepped(files, Logs.Small with { Order = order }, _time);
        files.Content.Remove(files.Segments[0]);
        for (var i = 0; i < 30; i++)
        {
            log.Turn();
            _time.Advance(1001);
        }

        Assert.Empty(log.ReadAll());
        var gap = Assert.Single(log.Gaps);
        Assert.Equal((GapReason.Unreadable, 1, 5L), (gap.Reason, gap.From, gap.To));
    }

    [Theory]
    [InlineData(FsyncPolicy.Never, 0)]
    [InlineData(FsyncPolicy.Interval, 1)]
    [InlineData(FsyncPolicy.Each, 3)]
    public void Fsync_ByPolicy_ComesAsOftenAsStated(FsyncPolicy policy, int expected)
    {
        using var files = new MemoryFiles();
        var log = Logs.Stepped(files, Logs.Small with { Fsync = policy }, _time);
        var before = files.Syncs;
        for (var i = 0; i < 3; i++)
            log.AppendAndTurn(10);

        Assert.Equal(expected, files.Syncs - before);
    }

    [Fact]
    public async Task Open_OfADirectoryInUse_Throws()
    {
        var directory = Directory.CreateTempSubdirectory("store-").FullName;
        try
        {
            var options = Logs.Small with { Directory = directory };
            await using (StoreLog.Open(options, TimeProvider.System, NullLogger.Instance))
            {
                var error = Assert.Throws<StoreException>(
                    () => StoreLog.Open(options, TimeProvider.System, NullLogger.Instance));
                Assert.Equal(StoreFault.InUse, error.Fault);
            }

            await using var again = StoreLog.Open(options, TimeProvider.System, NullLogger.Instance);
            Assert.True(again.TryAppendNext(out var sequence));
            await again.FlushAsync().WaitAsync(Patience.Limit);
            Assert.Equal(1, sequence);
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    [Fact]
    public void Open_WhereAFileIs_Throws()
    {
        var file = Path.GetTempFileName();
        var options = Logs.Small with { Directory = Path.Combine(file, "below") };

        var error = Assert.Throws<StoreException>(
            () => StoreLog.Open(options, TimeProvider.System, NullLogger.Instance));
        File.Delete(file);
        Assert.Equal(StoreFault.Unavailable, error.Fault);
    }
}
