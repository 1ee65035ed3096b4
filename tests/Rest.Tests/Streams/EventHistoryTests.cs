using Gateway.Rest.Streams;

namespace Gateway.Rest.Tests.Streams;

public sealed class EventHistoryTests
{
    [Theory]
    [InlineData(0, true, 3)]
    [InlineData(2, true, 1)]
    [InlineData(3, true, 0)]
    [InlineData(4, false, 0)]
    public void TryGetBehind_AllThere_WhatTheClientMissed(long number, bool isWhole, int count)
    {
        var history = new EventHistory(maxEvents: 3, maxBytes: 30);
        for (var i = 0; i < 3; i++)
            history.Add(new byte[10]);

        Assert.Equal(isWhole, history.TryGetBehind(number, out var events));
        Assert.Equal(count, events.Length);
    }

    [Theory]
    [InlineData(2, 100, 2)]
    [InlineData(100, 25, 2)]
    [InlineData(100, 9, 0)]
    public void Add_OverABound_TheOldestGo(int maxEvents, int maxBytes, int kept)
    {
        var history = new EventHistory(maxEvents, maxBytes);
        for (var i = 0; i < 5; i++)
            history.Add(new byte[10]);

        Assert.Equal(5, history.Last);
        Assert.True(history.TryGetBehind(5 - kept, out var events));
        Assert.Equal(kept, events.Length);
        Assert.False(history.TryGetBehind(4 - kept, out events));
        Assert.Empty(events);
    }

    /// <summary>Events of many lengths, wherever the ring ends: what is there is as it was added, and as many as the
    /// bounds leave.</summary>
    [Theory]
    [InlineData(7, 1000)]
    [InlineData(100, 100)]
    [InlineData(100, 5000)]
    public void Add_ManyLengths_WhatIsKeptIsUnchanged(int maxEvents, int maxBytes)
    {
        var random = new Random(1);
        var history = new EventHistory(maxEvents, maxBytes);
        var all = new List<byte[]>();
        for (var i = 0; i < 500; i++)
        {
            var text = new byte[random.Next(1, 130)];
            random.NextBytes(text);
            all.Add(text);
            history.Add(text);
            var kept = 0;
            var bytes = 0;
            while (kept < Math.Min(all.Count, maxEvents) && bytes + all[^(kept + 1)].Length <= maxBytes)
                bytes += all[^++kept].Length;

            Assert.True(history.TryGetBehind(all.Count - kept, out var events));
            Assert.Equal(all[^kept..], events);
            Assert.False(history.TryGetBehind(all.Count - kept - 1, out _));
            var some = random.Next(kept + 1);
            Assert.True(history.TryGetBehind(all.Count - some, out events));
            Assert.Equal(all[^some..], events);
        }
    }

    /// <summary>Once the ring has its size, an event allocates nothing.</summary>
    [Fact]
    public void Add_Steady_AllocatesNothing()
    {
        var history = new EventHistory(maxEvents: 100, maxBytes: 10_000);
        var text = new byte[999];
        for (var i = 0; i < 200; i++)
            history.Add(text);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1000; i++)
            history.Add(text);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }
}
