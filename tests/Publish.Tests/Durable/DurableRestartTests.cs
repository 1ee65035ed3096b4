using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Durable;

/// <summary>What a client finds in the next process (Part 4 §6.8).</summary>
public sealed class DurableRestartTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly DurablePlant _before = new();
    private readonly TestClient _client;

    public DurableRestartTests() => _client = _before.Plant.OpenClient(DurablePlant.Alice);

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _before.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task Restart_InOrder_AllValuesInOrderBehindATransfer()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 100);
        _before.Plant.Set(1, 1);
        Assert.Equal([0, 1], _before.Drain(_client, 1).Select(static one => one.Value));
        _client.Session.Close(deleteSubscriptions: true, deleteDurable: false);
        for (var i = 2; i <= 40; i++)
            _before.Plant.Set(1, i);

        await using var after = await _before.RestartAsync();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        var transferred = client.Transfer(subscription);
        Assert.Equal(StatusCode.Good, transferred.StatusCode);
        Assert.Equal([1u], transferred.AvailableSequenceNumbers!);
        after.Plant.Set(1, 41);
        var values = after.Drain(client);
        Assert.Equal(Enumerable.Range(2, 40).Select(static i => (1u, (double)i, false)), values);
        Assert.Equal(1, after.Saver.Restored);
    }

    [Fact]
    public async Task Restart_UnacknowledgedMessages_AreRepeatedAsTheyWere()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1);
        _before.Plant.Set(1, 1);
        _before.Drain(_client, 1);
        _before.Plant.Set(1, 2);
        _before.Drain(_client, 1);
        _before.Plant.Set(1, 3);
        _client.Publish((subscription, 1));
        _before.Plant.Advance(100);
        var sent = _client.Republish(subscription, 3).NotificationMessage;

        await using var after = await _before.RestartAsync();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        Assert.Equal([2u, 3u], client.Transfer(subscription).AvailableSequenceNumbers!);
        var again = client.Republish(subscription, 3).NotificationMessage;
        Assert.Equal((sent.SequenceNumber, sent.PublishTime), (again.SequenceNumber, again.PublishTime));
        Assert.Equal(
            StatusCodes.BadMessageNotAvailable, client.Republish(subscription, 1).ResponseHeader.ServiceResult.Code);
        after.Plant.Set(1, 4);
        client.Publish((subscription, 2), (subscription, 3));
        after.Plant.Advance(100);
        Assert.Equal(4u, client.Next().SequenceNumber);
    }

    [Fact]
    public async Task Kill_WhatWasSavedIsThere_AndNoSequenceNumberComesTwice()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 10);
        _before.Plant.Set(1, 1);
        _before.Plant.Advance(1);
        _before.Saver.Save();
        // Behind the last save: sent, and lost with the process.
        _before.Plant.Set(1, 2);
        Assert.Equal(3, _before.Drain(_client, 1).Count);

        await using var after = _before.Next();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        client.Publish();
        after.Plant.Advance(100);
        var answer = client.Next();
        Assert.Equal([0, 1], answer.Changes.Select(static change => change.Value.Value.AsDouble()));
        Assert.InRange(answer.SequenceNumber, 2u, 300u);
    }

    /// <summary>Whatever a process sends behind its last save, the next one begins behind it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Kill_ManyMessagesBehindTheLastSave_NoSequenceNumberComesTwice(bool wraps)
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 5_000);
        _before.Find(subscription).MaxNotificationsPerPublish = 1;
        if (wraps)
            _before.Find(subscription).NextSequenceNumber = uint.MaxValue - 3;
        _before.Drain(_client, 1);
        for (var i = 1; i <= 1_000; i++)
            _before.Plant.Set(1, i);
        _before.Plant.Advance(1);
        _before.Saver.Save();
        var sent = SendAll(_before, _client);
        var ahead = _before.Find(subscription).Durable!.NumbersAhead;
        // The rest waits for a save: with it, all goes on.
        Assert.Equal((int)ahead, sent.Count);
        Assert.NotEqual(0, _before.Book.NumberWaits);
        var saved = _before.Next();
        _before.Saver.Save();
        sent.AddRange(SendAll(_before, _client));
        Assert.Equal(2 * (int)ahead, sent.Count);

        await using var after = saved;
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        var next = SendAll(after, client);
        Assert.Empty(next.Intersect(sent.Take((int)ahead)));
        Assert.DoesNotContain(0u, next);
        Assert.Equal(Next(sent[(int)ahead - 1]), next[0]);

        static uint Next(uint number) => number == uint.MaxValue ? 1 : number + 1;
    }

    /// <summary>Behind the last save no message leaves, whoever still asks: the next process has its number.</summary>
    [Fact]
    public async Task Restart_PublishBehindTheLastSave_NoSequenceNumberComesTwice()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 10);
        _before.Drain(_client, 1);
        await _before.Saver.DisposeAsync();
        _before.Plant.Set(1, 1);
        _client.Publish();
        _before.Plant.Advance(1_000);
        Assert.Empty(_client.Next().Changes);

        await using var after = _before.Next();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        after.Plant.Set(1, 2);
        Assert.Equal(2u, SendAll(after, client)[0]);
    }

    /// <summary>Its file may be used for another start.</summary>
    [Fact]
    public async Task Restart_DiskTakesNothing_NoMessageUsesANumber()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 10);
        await _before.Saver.DisposeAsync();
        var disk = _before.Disk.Copy();
        disk.IsReadOnly = true;
        await using var after = new DurablePlant(disk);
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        client.Publish();
        after.Plant.Advance(1_000);
        Assert.Empty(client.Next().Changes);
        disk.IsReadOnly = false;
        after.Saver.Save();
        Assert.NotEmpty(after.Drain(client));
    }

    [Theory]
    [InlineData(true, new double[] { 7, 8, 9 }, 0)]
    [InlineData(false, new double[] { 0, 1, 9 }, 2)]
    public async Task Restart_QueueHasOverflown_ToldAsWithoutARestart(bool discardOldest, double[] values, int flagged)
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 3, discardOldest: discardOldest);
        for (var i = 1; i <= 9; i++)
        {
            _before.Plant.Set(1, i);
            _before.Plant.Advance(1);
            _before.Saver.Save();
        }

        await using var after = await _before.RestartAsync();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        var drained = after.Drain(client);
        Assert.Equal(values, drained.Select(static one => one.Value));
        Assert.Equal(flagged, drained.FindIndex(static one => one.IsOverflow));
        Assert.Single(drained, static one => one.IsOverflow);
    }

    [Fact]
    public async Task Restart_AllKindsOfItems_AreAsTheyWere()
    {
        var subscription = _before.Subscribe(_client);
        var deadband = new DataChangeFilter
        {
            Trigger = DataChangeTrigger.StatusValue,
            DeadbandType = (uint)DeadbandType.Absolute,
            DeadbandValue = 2.5,
        };
        var first = _client.Monitor(subscription, 1, queueSize: 5, discardOldest: false, samplingMs: 250);
        var second = _client.Monitor(subscription, 2, queueSize: 7, filter: deadband);
        var sampled = _client.Monitor(subscription, 3, mode: MonitoringMode.Sampling);
        _client.Monitor(subscription, 4, mode: MonitoringMode.Disabled);
        var gone = _client.Monitor(subscription, 5);
        var name = _client.TryMonitor(subscription, TestClient.Item(6, attribute: AttributeId.DisplayName));
        Assert.Equal(StatusCode.Good, name.StatusCode);
        Assert.Equal(StatusCode.Good, _client.Session.SetTriggering(new SetTriggeringRequest
        {
            SubscriptionId = subscription,
            TriggeringItemId = first,
            LinksToAdd = [sampled],
        }).AddResults![0]);
        for (var i = 1u; i <= 5; i++)
            _before.Plant.Set(i, 10 * i, i == 2 ? StatusCodes.UncertainLastUsableValue : StatusCode.Good);
        _before.Plant.Advance(500);
        _before.Saver.Save();
        _client.DeleteItem(subscription, gone);
        _client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            TimestampsToReturn = TimestampsToReturn.Source,
            ItemsToModify =
            [
                new MonitoredItemModifyRequest
                {
                    MonitoredItemId = second,
                    RequestedParameters = new MonitoringParameters { ClientHandle = 77, QueueSize = 20 },
                },
            ],
        });
        _client.SetPublishing(subscription, false);
        _before.Saver.Save();
        await _before.Saver.DisposeAsync();
        var expected = _before.Describe(subscription);

        await using var after = _before.Next();
        Assert.Equal(expected, after.Describe(subscription));
        Assert.Equal(5, after.Find(subscription).Items.Count);
    }

    [Fact]
    public async Task Restart_NodeHasTheSameValue_IsNotReportedAgain()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 10);
        _before.Plant.Set(1, 5);
        _before.Drain(_client, 1);
        await using var after = await _before.RestartAsync();
        after.Plant.Set(1, 5);
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        Assert.Empty(after.Drain(client));
        after.Plant.Set(1, 6);
        Assert.Equal(6, Assert.Single(after.Drain(client)).Value);
    }

    [Fact]
    public async Task Restart_SampleIsNotDueYet_IsTakenBeforeTheEnd()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 10, samplingMs: 60_000);
        _before.Drain(_client, 1);
        _before.Plant.Set(1, 9);
        await using var after = await _before.RestartAsync();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        Assert.Equal(9, Assert.Single(after.Drain(client)).Value);
    }

    /// <summary>An upstream connects later, and its namespace gets another index.</summary>
    [Fact]
    public async Task Restart_NodeComesLaterUnderAnotherIndex_IsWatchedFromThenOn()
    {
        var old = AddForeign(_before.Plant, "urn:upstream");
        Set(_before.Plant, old, 0);
        var subscription = _before.Subscribe(_client);
        var created = _client.TryMonitor(subscription, new MonitoredItemCreateRequest
        {
            ItemToMonitor = new ReadValueId { NodeId = old, AttributeId = (uint)AttributeId.Value },
            MonitoringMode = MonitoringMode.Reporting,
            RequestedParameters = new MonitoringParameters { ClientHandle = 9, QueueSize = 10 },
        });
        Assert.Equal(StatusCode.Good, created.StatusCode);
        Set(_before.Plant, old, 1);

        await using var after = await _before.RestartAsync();
        Assert.Equal(1, after.Saver.WaitingItems);
        Assert.False(after.Plant.Nodes.Namespaces.TryGetIndex("urn:upstream", out _));
        // It waits over another restart, too.
        await using var third = await after.RestartAsync();
        third.Plant.Nodes.Namespaces.GetOrAdd("urn:first");
        var present = AddForeign(third.Plant, "urn:upstream");
        Assert.NotEqual(old.NamespaceIndex, present.NamespaceIndex);
        third.Saver.Save();
        Assert.Equal(0, third.Saver.WaitingItems);
        Set(third.Plant, present, 2);
        var client = third.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        Assert.Equal([0, 1, 2], third.Drain(client).Select(static one => one.Value));
    }

    /// <summary>R16, R36: nobody can say who may read a node that is not there.</summary>
    [Fact]
    public async Task Transfer_NodeHasNotComeBack_SaysSoOnceAndHoldsTheValues()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 10, queueSize: 10);
        _client.Monitor(subscription, 1, queueSize: 10);
        _before.Plant.Set(10, 1);
        await using var after = await _before.RestartAsync(tags: 9);
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        Assert.Equal([StatusCodes.BadNodeIdUnknown], ChangesOf10());
        Assert.Empty(ChangesOf10());
        AddTag10(after.Plant);
        after.Saver.Save();
        after.Plant.Set(10, 2);
        Assert.Equal([StatusCodes.Good, StatusCodes.Good, StatusCodes.Good], ChangesOf10());

        IEnumerable<uint> ChangesOf10()
        {
            client.Publish();
            after.Plant.Advance(100);
            return [.. client.All().SelectMany(static answer => answer.Changes)
                .Where(static change => change.ClientHandle == 10).Select(static change => change.Value.Status.Code)];
        }
    }

    /// <summary>R16, R36.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Transfer_NodeComesBackHidden_ValuesAndMessagesAreGone(bool isSampling)
    {
        var subscription = _before.Subscribe(_client);
        var item = _client.Monitor(
            subscription, 10, queueSize: 10, mode: isSampling ? MonitoringMode.Sampling : MonitoringMode.Reporting);
        _before.Plant.Set(10, 666);
        _before.Drain(_client, 1);
        _before.Plant.Set(10, 667);
        await using var after = await _before.RestartAsync(tags: 9);
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        client.Session.SetMonitoringMode(new SetMonitoringModeRequest
        {
            SubscriptionId = subscription,
            MonitoringMode = MonitoringMode.Reporting,
            MonitoredItemIds = [item],
        });
        client.Access = StatusCodes.BadUserAccessDenied;
        AddTag10(after.Plant);
        after.Saver.Save();
        client.Publish();
        after.Plant.Advance(100);
        Assert.Equal(
            [StatusCodes.BadUserAccessDenied],
            client.Next().Changes.Select(static change => change.Value.Status.Code));
        // It was never sent where the item was sampling: 1 is the message of just now.
        Assert.Equal(
            isSampling ? StatusCodes.Good : StatusCodes.BadMessageNotAvailable,
            client.Republish(subscription, 1).ResponseHeader.ServiceResult.Code);
    }

    [Theory]
    [InlineData(0.5, true)]
    [InlineData(-100, true)]
    [InlineData(1.5, false)]
    public async Task Restart_GatewayWasAway_TimeCountsAsLifetime(double hours, bool isThere)
    {
        var subscription = _before.Subscribe(_client, hours: 1);
        await using var after = await _before.RestartAsync(downtime: TimeSpan.FromHours(hours));
        Assert.Equal(isThere ? 1 : 0, after.Plant.Engine.Subscriptions.Count);
        Assert.Equal(isThere, after.Disk.Content.Keys.Any(static name => name.EndsWith(".sub")));
        if (!isThere)
            return;
        var left = after.Find(subscription).LifetimeCounter;
        var expected = hours < 0 ? 36_000u : 18_000u;
        Assert.InRange(left, expected - 5, expected);
    }

    [Fact]
    public async Task Restart_OtherUser_GetsNothing()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1);
        await using var after = await _before.RestartAsync();
        var other = after.Plant.OpenClient(DurablePlant.Alice with { UserKey = "UserName:bob" });
        Assert.Equal(StatusCodes.BadUserAccessDenied, other.Transfer(subscription).StatusCode.Code);
        var same = after.Plant.OpenClient(DurablePlant.Alice with { ApplicationUri = "urn:other" });
        Assert.Equal(StatusCodes.Good, same.Transfer(subscription).StatusCode.Code);
    }

    /// <summary>R16, R36.</summary>
    [Fact]
    public async Task Restart_UserMayNoLongerRead_ValuesAndMessagesAreGone()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 10);
        _before.Plant.Set(1, 666);
        _before.Drain(_client, 1);
        _before.Plant.Set(1, 667);
        await using var after = await _before.RestartAsync();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Denied.Add(after.Plant.Handle(1));
        Assert.Empty(client.Transfer(subscription).AvailableSequenceNumbers!);
        client.Publish();
        after.Plant.Advance(100);
        var change = Assert.Single(client.Next().Changes);
        Assert.Equal(StatusCodes.BadUserAccessDenied, change.Value.Status.Code);
    }

    [Fact]
    public async Task Restart_CountsForItsHolders_UntilItIsDeleted()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 500);
        await using var after = await _before.RestartAsync();
        var counters = after.Plant.Engine.Counters;
        Assert.Equal((1, 1, 500L), (counters.Subscriptions, counters.MonitoredItems, counters.QueueCapacity));
        Assert.Equal(1, after.Plant.Engine.Quotas.Users.Count);
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(subscription);
        Assert.Equal(StatusCode.Good, client.Delete(subscription));
        after.Plant.Advance(300);
        after.Saver.Save();
        Assert.Equal((0, 0, 0L), (counters.Subscriptions, counters.MonitoredItems, counters.QueueCapacity));
        Assert.Equal((0, 0, 0L), (after.Book.Count, after.Book.Items, after.Book.Bytes));
        Assert.DoesNotContain(after.Disk.Content.Keys, static name => name.EndsWith(".sub"));
    }

    /// <summary>The sequence numbers of the messages with values that leave.</summary>
    private static List<uint> SendAll(DurablePlant durable, TestClient client)
    {
        var sent = new List<uint>();
        for (var turn = 0; turn < 30; turn++)
        {
            for (var i = 0; i < 20; i++)
                client.Publish();
            durable.Plant.Advance(100);
            sent.AddRange(client.All().Where(static answer => answer.Changes.Length > 0)
                .Select(static answer => answer.SequenceNumber));
        }

        return sent;
    }

    private static void AddTag10(PublishFixture plant) => plant.Nodes.Apply(new NodeBatch().AddVariable(
        new NodeId(10u, 1), new QualifiedName("Tag10", 1), new(new NodeId(11)), null, default));

    private static NodeId AddForeign(PublishFixture plant, string uri)
    {
        var id = new NodeId("Remote", plant.Nodes.Namespaces.GetOrAdd(uri));
        plant.Nodes.Apply(new NodeBatch().AddVariable(
            id, new QualifiedName("Remote", id.NamespaceIndex), new(new NodeId(11)), null, default));
        return id;
    }

    private static void Set(PublishFixture plant, NodeId id, double value) =>
        plant.Store.Set(plant.Nodes.Find(id), new DataValue(new Variant(value)));
}
