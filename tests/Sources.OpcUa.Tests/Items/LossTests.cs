using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Items;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.OpcUa.Redundancy;

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

    /// <summary>The loop is woken by that end.</summary>
    [Fact]
    public async Task Loss_WhileAnItemIsToGo_NothingIsAskedOfASessionThatEnds()
    {
        await WatchAsync();
        Items.OnInterest(_tags[0], wanted: false);

        _source.Intake.OnStatusChange(null!, StatusCodes.BadConnectionClosed);
        await FollowAsync();

        Assert.Equal((false, 10), (_source.Follower.IsInDoubt, Items.ActiveCount));
        Assert.Empty(Sent<DeleteMonitoredItemsRequest>());
        Items.OnInterrupted();
        Items.OnResumed(_link);
        await FollowAsync();
        Assert.Equal(9, Items.ActiveCount);
    }

    [Fact]
    public async Task Loss_BehindAnAnswerThatWasTaken_ItemsAreKnown()
    {
        _gateway.Server.RevisedQueueSize = 1;
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        _source.Follower.OnShortQueue = (_, _) => Items.OnInterrupted();

        await FollowAsync();

        Assert.Equal((false, 1), (_source.Follower.IsInDoubt, Items.ActiveCount));
    }

    /// <summary>The budget of the upstream has no room for it yet.</summary>
    [Fact]
    public async Task Loss_WhileACreateWaitsForItsTurn_ItemsAreKnown()
    {
        var create = RequestShape.Of(new CreateMonitoredItemsRequest());
        using var gate = new RequestGate(
            new UpstreamBudget(100, 1, 100, 100), _gateway.Limits, _gateway.Time, static (_, _) => { },
            static _ => { });
        await gate.EnterAsync(create, null, CancellationToken.None);
        _link = _link with
        {
            Session = new BudgetedSession(_link.Session, gate, new LearnedSizes(), _gateway.Time, long.MaxValue),
        };
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();

        Assert.False(_source.Follower.IsInDoubt);
        Items.OnInterrupted();
        Items.OnResumed(_link);
        gate.Leave(create, 0, null);
        await FollowAsync();
        Assert.Equal((1, 1), (Items.ActiveCount, Sent<CreateMonitoredItemsRequest>().Count()));
    }

    /// <summary>Values were lost, and so is the connection by which they are read: the upstream does not tell them
    /// again.</summary>
    [Theory]
    [InlineData(StatusCodes.Good)]
    [InlineData(StatusCodes.BadConnectionClosed)]
    public async Task Loss_WhileLostValuesAreRead_AreReadByTheNextConnection(uint answer)
    {
        await LoseValuesAsync();
        _gateway.Server.OnRequest = request =>
        {
            if (request is ReadRequest)
                Items.OnInterrupted();
            return new StatusCode(answer);
        };
        using (var stop = new CancellationTokenSource())
        {
            var following = _source.Follower.FollowAsync(_link, _subscriptions, stop.Token);
            await stop.CancelAsync();
            await Record.ExceptionAsync(() => following);
        }

        Assert.False(IsAfterLoss());
        _gateway.Server.OnRequest = null;
        Items.OnResumed(_link);
        await FollowAsync();

        Assert.Equal(2.0, _gateway.Values.Read(_tags[0]).Value.AsDouble());
        Assert.True(IsAfterLoss());
        var reads = Sent<ReadRequest>().Count();
        await FollowAsync();
        Assert.Equal(reads, Sent<ReadRequest>().Count());
    }

    /// <summary>Its message overtakes the answer to the Read.</summary>
    [Fact]
    public async Task LostValues_NewerChangeWhileTheyAreRead_Stays()
    {
        await LoseValuesAsync();
        _gateway.Server.OnRequest = request =>
        {
            if (request is ReadRequest)
                Ingest(_tags[0], new DataValue(new Variant(7.0)));
            return StatusCode.Good;
        };

        await FollowAsync();

        Assert.Equal(7.0, _gateway.Values.Read(_tags[0]).Value.AsDouble());
        Assert.True(IsAfterLoss());
    }

    /// <summary>No item is in doubt where only the subscription that was to have it is unknown.</summary>
    [Fact]
    public async Task Loss_WhileASubscriptionForMoreIsMade_NodeThatNobodyWantsAnyMoreIsForgotten()
    {
        (_gateway.Server.ItemsPerSubscription, _gateway.Server.SubscribeStatus) = (1, StatusCodes.BadConnectionClosed);
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        Items.OnInterest(_tags[1], wanted: true);
        await Assert.ThrowsAsync<ServiceException>(
            () => _source.Follower.FollowAsync(_link, _subscriptions, CancellationToken.None));
        Items.OnInterrupted();

        Items.OnInterest(_tags[1], wanted: false);
        Items.OnResumed(_link);

        Assert.Equal((false, 1), (_source.Follower.IsInDoubt, Items.HeldCount));
    }

    [Fact]
    public void Loss_WhileAnItemIsMadeThatNobodyWantsAnyMore_ForgottenWhereAnotherServerGoesOn()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        Items.TakeChanges(_link);
        Items.OnInterest(_tags[0], wanted: false);
        Items.OnInterrupted();

        Items.OnAdopted(_link, new Dictionary<int, StandbyItem>());

        Assert.Equal(0, Items.HeldCount);
    }

    /// <summary>The server that goes on has not heard of it.</summary>
    [Fact]
    public async Task Loss_BehindAChangeOfTheTimestampsFilter_TheOtherServersItemIsChanged()
    {
        await WatchAsync();
        var item = new StandbyItem(new ActiveItem(5, 1, 250, 250, 4), Timestamps: true);
        Items.OnInterrupted();

        Items.OnAdopted(_link, new Dictionary<int, StandbyItem> { [_tags[0].Index] = item });
        await FollowAsync();

        var modified = Assert.Single(Sent<ModifyMonitoredItemsRequest>()).ItemsToModify!;
        Assert.Equal((uint)_tags[0].Index, Assert.Single(modified).RequestedParameters.ClientHandle);
        Assert.Null(modified[0].RequestedParameters.Filter.Body);
    }

    private async Task LoseValuesAsync()
    {
        await WatchAsync();
        Ingest(_tags[0], new DataValue(new Variant(1.0)));
        _gateway.Server.Attributes[(new NodeId("T0", 2), AttributeId.Value)] = new DataValue(new Variant(2.0));
        _source.Intake.OnLost(null!, 1, 1);
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
