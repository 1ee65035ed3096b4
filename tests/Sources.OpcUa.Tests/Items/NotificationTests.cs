using Gateway.Client;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Items;

/// <summary>What the upstream may send, and the times that it is asked to send.</summary>
public sealed class NotificationTests : ItemsTest
{
    [Fact]
    public async Task OnDataChange_TooManyBeforeItIsConnected_EndsItAll()
    {
        _source.Intake.OnConnecting();
        Notify(count: 21);
        Connect();
        await Assert.ThrowsAsync<UpstreamBoundException>(
            () => _source.Follower.FollowAsync(_link, _subscriptions, CancellationToken.None));

        Items.OnDisconnected();
        _source.Intake.OnConnecting();
        Connect();
        await FollowAsync();
    }

    [Fact]
    public void OnNothingNew_TooManyAtOnce_SessionEndsAtOnceAndTheBoundIsKept()
    {
        _source.Intake.OnConnecting();
        Connect();
        for (var i = 0; i < 30; i++)
            _source.Intake.OnNothingNew(null!);
        Assert.Null(Items.Bound);

        _source.Intake.OnNothingNew(null!);

        Assert.Equal(UpstreamBound.MaxUpstreamEmptyPublishes, Items.Bound!.Bound);
        Assert.True(((FakeUpstreamSession)_link.Session).IsAborted);
        Items.OnDisconnected();
        _source.Intake.OnConnecting();
        Assert.Null(Items.Bound);
    }

    /// <summary>Values for items that nobody wants are nothing new.</summary>
    [Fact]
    public void OnDataChange_UnknownHandlesWithoutEnd_EndsItAll()
    {
        _source.Intake.OnConnecting();
        Connect();
        for (var i = 0; i < 30; i++)
            Notify(count: 1);
        Assert.Null(Items.Bound);

        Notify(count: 1);

        Assert.Equal(UpstreamBound.MaxUpstreamEmptyPublishes, Items.Bound!.Bound);
    }

    /// <summary>What this edition cannot decode, a client of ours may. Uncertain, because an id in it would be the
    /// upstream's.</summary>
    [Fact]
    public async Task OnDataChange_BodyThatCannotBeDecoded_PassedThroughAndTheNextValueStored()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        Items.OnInterest(_tags[1], wanted: true);
        await FollowAsync();
        var body = new ExtensionObject(new NodeId(Argument.BinaryEncodingId), [1, 2, 3, 4]);
        Notify([
            new() { ClientHandle = (uint)_tags[0].Index, Value = new DataValue(new Variant(body)) },
            new() { ClientHandle = (uint)_tags[1].Index, Value = new DataValue(new Variant(2.0)) },
        ]);

        Assert.Equal(new Variant(body), _gateway.Values.Read(_tags[0]).Value);
        Assert.Equal(StatusCodes.Uncertain, _gateway.Values.Read(_tags[0]).Status.Code);
        Assert.Equal(2.0, _gateway.Values.Read(_tags[1]).Value.AsDouble());
    }

    [Fact]
    public async Task Read_ValuesThatCannotBeDecoded_OnlyTheirsFail()
    {
        Connect();
        for (var i = 0; i < _tags.Length; i++)
            _gateway.Server.Attributes[(new NodeId("T" + i, 2), AttributeId.Value)] = new DataValue(new Variant(i));
        _gateway.Server.Undecodable.UnionWith([new NodeId("T2", 2), new NodeId("T7", 2)]);
        var read = new DataValue[_tags.Length];

        await _source.ReadAsync(_tags, 0, read, default);

        for (var i = 0; i < read.Length; i++)
            Assert.Equal(i is 2 or 7 ? StatusCodes.BadDecodingError : 0u, read[i].Status.Code);
        Assert.Equal(9, read[9].Value.AsInt32());
    }

    /// <summary>An upstream that says so of each request is not asked for each node.</summary>
    [Fact]
    public async Task Read_NothingCanBeDecoded_GivenUp()
    {
        Connect();
        ReadValueId[] nodes = [.. Enumerable.Range(0, 1_000)
            .Select(i => new ReadValueId { NodeId = new NodeId("T" + i, 2) })];
        _gateway.Server.Undecodable.UnionWith(nodes.Select(node => node.NodeId));

        var failure = await Assert.ThrowsAsync<ServiceException>(async () => await _link.Session.ReadAsync(
            nodes, 0, 100, new ValueAllowance(1_000_000), CancellationToken.None));

        Assert.Equal(StatusCodes.BadDecodingError, failure.Status.Code);
        Assert.InRange(Sent<ReadRequest>().Count(), 2, 100);
    }

    /// <summary>Each of them is new, and each message small: nothing but their rate is wrong.</summary>
    [Fact]
    public async Task OnDataChange_NewValuesWithoutEnd_SessionEndsAndTheBoundIsKept()
    {
        _source.Intake.OnConnecting();
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
        _source.Intake.OnConnecting();
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
