using Gateway.Codec.Structures;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Items;

/// <summary>What the upstream may send, and the times that it is asked to send.</summary>
public sealed class NotificationTests : ItemsTest
{
    [Fact]
    public async Task OnDataChange_TooManyBeforeItIsConnected_EndsItAll()
    {
        Items.OnConnecting();
        Notify(count: 21);
        Connect();
        await Assert.ThrowsAsync<UpstreamBoundException>(
            () => _source.Follower.FollowAsync(_link, SubscriptionId, CancellationToken.None));

        Items.OnDisconnected();
        Items.OnConnecting();
        Connect();
        await FollowAsync();
    }

    [Fact]
    public void OnNothingNew_TooManyAtOnce_SessionEndsAtOnceAndTheBoundIsKept()
    {
        Items.OnConnecting();
        Connect();
        for (var i = 0; i < 30; i++)
            Items.OnNothingNew(null!);
        Assert.Null(Items.Bound);

        Items.OnNothingNew(null!);

        Assert.Equal(UpstreamBound.MaxUpstreamEmptyPublishes, Items.Bound!.Bound);
        Assert.True(((FakeUpstreamSession)_link.Session).IsAborted);
        Items.OnDisconnected();
        Items.OnConnecting();
        Assert.Null(Items.Bound);
    }

    /// <summary>Values for items that nobody wants are nothing new.</summary>
    [Fact]
    public void OnDataChange_UnknownHandlesWithoutEnd_EndsItAll()
    {
        Items.OnConnecting();
        Connect();
        for (var i = 0; i < 30; i++)
            Notify(count: 1);
        Assert.Null(Items.Bound);

        Notify(count: 1);

        Assert.Equal(UpstreamBound.MaxUpstreamEmptyPublishes, Items.Bound!.Bound);
    }

    /// <summary>Each of them is new, and each message small: nothing but their rate is wrong.</summary>
    [Fact]
    public async Task OnDataChange_NewValuesWithoutEnd_SessionEndsAndTheBoundIsKept()
    {
        Items.OnConnecting();
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        for (var i = 0; i < 25; i++)
            Notify(count: 20, (uint)_tags[0].Index);
        Assert.Null(Items.Bound);

        Notify(count: 1, (uint)_tags[0].Index);

        Assert.Equal(UpstreamBound.MaxUpstreamValuesPerSecond, Items.Bound!.Bound);
        Assert.True(((FakeUpstreamSession)_link.Session).IsAborted);
    }

    /// <summary>Four values an item each publishing interval: what its queue can hold.</summary>
    [Fact]
    public async Task OnDataChange_AsManyValuesAsTheQueuesBring_ForEver()
    {
        Items.OnConnecting();
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        for (var i = 0; i < 1_000; i++)
        {
            Notify(count: 4, (uint)_tags[0].Index);
            _gateway.Time.Advance(TimeSpan.FromMilliseconds(250));
        }

        Assert.Null(Items.Bound);
    }

    /// <summary>Made without the filter, in time for the first value; told of it while somebody wants it. Source: Part
    /// 4 §7.22.2.</summary>
    [Fact]
    public async Task TimestampInterest_ItemUpstream_HasTheTriggerWhileItIsWanted()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        Items.OnInterest(_tags[1], wanted: true);
        Items.OnTimestampInterest(_tags[0], wanted: true);
        await FollowAsync();
        Items.OnTimestampInterest(_tags[0], wanted: false);
        await FollowAsync();

        var changes = Sent<ModifyMonitoredItemsRequest>().Select(request => Assert.Single(request.ItemsToModify!));
        Assert.All(changes, change => Assert.Equal(1u, change.MonitoredItemId));
        Assert.All(
            changes, change => Assert.Equal((uint)_tags[0].Index, change.RequestedParameters.ClientHandle));
        Assert.Equal(
            [DataChangeTrigger.StatusValueTimestamp, null],
            changes.Select(change => (change.RequestedParameters.Filter.Body as DataChangeFilter)?.Trigger));
    }

    [Fact]
    public async Task TimestampInterest_Reconnected_AskedForAgain()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        Items.OnTimestampInterest(_tags[0], wanted: true);
        await FollowAsync();
        Items.OnDisconnected();
        Connect();
        await FollowAsync();

        Assert.Equal(2, Sent<ModifyMonitoredItemsRequest>().Count());
    }
}
