using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Tests.Items;

/// <summary>What an upstream's queue loses is told to subscribers. Source: Part 4 §5.13.1.5.</summary>
public sealed class LossTests : ItemsTest
{
    private static readonly StatusCode Overflown = default(StatusCode).WithOverflow();

    [Fact]
    public async Task Overflow_OfTheUpstream_ToldWithThatChangeAndNotToReaders()
    {
        await WatchAsync();

        Ingest(_tags[0], new DataValue(new Variant(2.0), Overflown));

        Assert.True(IsAfterLoss());
        Assert.Equal(StatusCode.Good, _gateway.Values.Read(_tags[0]).Status);
        Ingest(_tags[0], new DataValue(new Variant(3.0)));
        Assert.False(IsAfterLoss());
    }

    /// <summary>A queue of one has no Overflow bit.</summary>
    [Theory]
    [InlineData(1u, 251, true)]
    [InlineData(0u, 251, true)]
    [InlineData(1u, 250, false)]
    [InlineData(2u, 5_000, false)]
    [InlineData(null, 5_000, false)]
    public async Task Break_QueueThatSaysNothingOfLosses_ToldWithTheNextChange(uint? queue, int breakMs, bool isTold)
    {
        _gateway.Server.RevisedQueueSize = queue;
        await WatchAsync();
        Ingest(_tags[0], new DataValue(new Variant(1.0)));

        Items.OnInterrupted();
        _gateway.Time.Advance(TimeSpan.FromMilliseconds(breakMs));
        Items.OnResumed(_link);
        Ingest(_tags[0], new DataValue(new Variant(2.0)));

        Assert.Equal(isTold, IsAfterLoss());
        Ingest(_tags[0], new DataValue(new Variant(3.0)));
        Assert.False(IsAfterLoss());
    }

    [Theory]
    [InlineData(3u, 1)]
    [InlineData(null, 0)]
    public async Task ShortQueue_ToldOnceAConnection(uint? granted, int times)
    {
        _gateway.Server.RevisedQueueSize = granted;
        List<(uint Asked, uint Granted)> told = [];
        _source.Follower.OnShortQueue = (asked, has) => told.Add((asked, has));

        await WatchAsync();

        Assert.Equal(Enumerable.Repeat((4u, 3u), times), told);
    }

    /// <summary>The end of a connection wakes the loop, which has nothing to ask then: all items are as they were.
    /// </summary>
    [Fact]
    public async Task Loss_WhileNoItemChanges_ItemsAreKnown()
    {
        await WatchAsync();

        Items.OnInterrupted();
        _source.Intake.OnStatusChange(null!, StatusCodes.BadConnectionClosed);
        await FollowAsync();

        Assert.False(_source.Follower.IsInDoubt);
    }

    /// <summary>Ten items go by requests for four.</summary>
    [Fact]
    public async Task Loss_BehindAnAnswer_WhatWasNotAskedForYetIsKnownAndFollowsLater()
    {
        await WatchAsync();
        foreach (var tag in _tags)
            Items.OnInterest(tag, wanted: false);
        _gateway.Server.OnRequest = request =>
        {
            if (request is DeleteMonitoredItemsRequest)
                Items.OnInterrupted();
            return StatusCode.Good;
        };
        await FollowAsync();

        Assert.Equal((false, 6), (_source.Follower.IsInDoubt, Items.ActiveCount));
        Assert.Single(Sent<DeleteMonitoredItemsRequest>());
        _gateway.Server.OnRequest = null;
        Items.OnResumed(_link);
        await FollowAsync();
        Assert.Equal(0, Items.ActiveCount);
    }

    /// <summary>Also where others are to go in the same turn.</summary>
    [Theory]
    [InlineData(typeof(CreateMonitoredItemsRequest))]
    [InlineData(typeof(ModifyMonitoredItemsRequest))]
    public async Task Loss_BeforeAnAnswerOnItems_NobodyKnowsThem(Type asked)
    {
        Connect();
        for (var i = 1; i < _tags.Length; i++)
            Items.OnInterest(_tags[i], wanted: true);
        await FollowAsync();
        Items.OnInterest(_tags[0], wanted: true);
        Items.OnInterest(_tags[1], wanted: false);
        Items.OnTimestampInterest(_tags[2], wanted: true);
        _gateway.Server.OnRequest = request =>
        {
            if (request.GetType() == asked)
                Items.OnInterrupted();
            return StatusCode.Good;
        };

        await FollowAsync();

        Assert.True(_source.Follower.IsInDoubt);
    }

    private async Task WatchAsync()
    {
        Connect();
        foreach (var tag in _tags)
            Items.OnInterest(tag, wanted: true);
        await FollowAsync();
    }

    private bool IsAfterLoss()
    {
        var value = _gateway.Values.Acquire(_tags[0])!;
        var isAfterLoss = value.IsAfterLoss;
        value.Release();
        return isAfterLoss;
    }
}
