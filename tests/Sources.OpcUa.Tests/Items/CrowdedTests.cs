using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Tests.Items;

/// <summary>Upstreams that take only so many items: in a subscription, or in all.</summary>
public sealed class CrowdedTests : ItemsTest
{
    [Fact]
    public async Task Create_FewItemsASubscription_MoreSubscriptions()
    {
        _gateway.Server.ItemsPerSubscription = 3;

        await WatchAsync(8);

        Assert.Equal(3, _subscriptions.Count);
        Assert.Equal([3, 3, 2], RoomsOf(static room => room.Items));
        Assert.Equal([3, 3, int.MaxValue], RoomsOf(static room => room.Capacity));
        Assert.Equal(8, Items.ActiveCount);
        Assert.All(_tags[..8], tag => Assert.NotEqual(StatusCodes.BadTooManyMonitoredItems, StatusOf(tag)));
    }

    /// <summary>Where the first refusal has shown how many there may be, no more are sent.</summary>
    [Fact]
    public async Task Create_CapacityKnown_NothingIsAskedForInVain()
    {
        _gateway.Server.ItemsPerSubscription = 3;
        await WatchAsync(8);
        var before = Created();

        Items.OnInterest(_tags[8], wanted: true);
        await FollowAsync();

        Assert.Equal([_subscriptions[2].Subscription.Id], Created()[before.Count..]);
        Assert.Equal(9, Items.ActiveCount);
    }

    [Fact]
    public async Task Create_NoRoomInAll_TheRestSayWhyAndOneSubscriptionMoreIsTried()
    {
        _gateway.Server.MaxItems = 5;

        await WatchAsync(8);
        await WatchAsync(9);

        Assert.Equal(2, _subscriptions.Count);
        Assert.Equal(5, Items.ActiveCount);
        Assert.Equal(4, _tags[..9].Count(tag => StatusOf(tag) == StatusCodes.BadTooManyMonitoredItems));
    }

    [Fact]
    public async Task Create_NoMoreSubscriptions_TheRestSayWhy()
    {
        _gateway.Server.ItemsPerSubscription = 3;
        _gateway.Server.MaxSubscriptions = 2;

        await WatchAsync(8);

        Assert.Equal(6, Items.ActiveCount);
        Assert.Equal(2, _tags[..8].Count(tag => StatusOf(tag) == StatusCodes.BadTooManyMonitoredItems));
    }

    [Fact]
    public async Task Delete_OneOfACrowd_AnotherGetsItsPlace()
    {
        _gateway.Server.MaxItems = 5;
        await WatchAsync(6);
        var waiting = _tags[..6].Single(tag => StatusOf(tag) == StatusCodes.BadTooManyMonitoredItems);
        var other = _tags[..6].First(tag => tag != waiting);

        Items.OnInterest(other, wanted: false);
        await FollowAsync();
        await FollowAsync();

        Assert.Equal(5, Items.ActiveCount);
        Assert.Contains(
            _gateway.Server.Items, item => item.RequestedParameters.ClientHandle == (uint)waiting.Index);
    }

    /// <summary>Each subscription has its own ids.</summary>
    [Fact]
    public async Task Delete_InSeveralSubscriptions_EachItsOwn()
    {
        _gateway.Server.ItemsPerSubscription = 3;
        await WatchAsync(8);

        foreach (var tag in _tags[..8])
            Items.OnInterest(tag, wanted: false);
        await FollowAsync();

        Assert.Equal([0, 0, 0], RoomsOf(static room => room.Items));
        Assert.Equal(0, Items.ActiveCount);
    }

    private async Task WatchAsync(int count)
    {
        // Nothing can be read instead.
        Items.MaxReadsPerSecond = 0;
        if (Items.ActiveCount == 0)
            Connect();
        foreach (var tag in _tags[..count])
            Items.OnInterest(tag, wanted: true);
        await FollowAsync();
    }

    private int[] RoomsOf(Func<SubscriptionRoom, int> read) =>
        [.. Enumerable.Range(0, _subscriptions.Count).Select(i => read(_subscriptions[i]))];

    private List<uint> Created() =>
        [.. _gateway.Server.Requests.OfType<CreateMonitoredItemsRequest>().Select(static one => one.SubscriptionId)];

    private StatusCode StatusOf(NodeHandle tag) => _gateway.Values.Read(tag).Status;
}
