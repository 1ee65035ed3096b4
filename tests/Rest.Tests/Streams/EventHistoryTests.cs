using System.Net;
using Gateway.Rest.Budgets;
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

    /// <summary>R43: with those of all streams together.</summary>
    [Fact]
    public void Add_NoMemoryForMore_TheOldestGoAndAllIsCounted()
    {
        var budget = new ByteBudget(100);
        using var memory = new Holding(budget, IPAddress.Loopback);
        var history = new EventHistory(maxEvents: 100, maxBytes: 1_000, memory);
        for (var i = 0; i < 8; i++)
            history.Add(new byte[10]);

        Assert.Equal((50, 0), (budget.Held, budget.Refused));
        Assert.True(history.TryGetBehind(3, out var events));
        Assert.Equal(5, events.Length);
        Assert.False(history.TryGetBehind(2, out _));
        memory.Dispose();
        Assert.Equal(0, budget.Held);
    }
}
