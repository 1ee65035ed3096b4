using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Publish.Services;
using Gateway.Publish.Tests.Support;
using Gateway.Testing;

namespace Gateway.Publish.Tests.Items;

/// <summary>ConditionRefresh, from the call to the messages. Source: Part 9 §4.5, §5.5.7.</summary>
public sealed class ConditionRefreshTests : RefreshTest
{
    [Fact]
    public void Refresh_SomeRetained_BringsThemBetweenItsBracketAndToThisSubscriptionAlone()
    {
        Report(1);
        Report(2);
        Report(3);
        Report(2, isActive: false);
        Acknowledge(2);
        Watch(_client, _subscription);
        var others = _client.Subscribe();
        Watch(_client, others);
        Watch(_other, _other.Subscribe());

        Assert.Equal(StatusCode.Good, _client.Session.RefreshConditions(_subscription, null));

        Assert.Equal(["start", "1", "3", "end"], Told(_client));
        Assert.Empty(Told(_other));
    }

    [Fact]
    public void Refresh_SeveralItems_HaveTheSameStartAndEnd()
    {
        Report(1);
        Watch(_client, _subscription);
        Watch(_client, _subscription, on: Upstream);
        _client.Session.RefreshConditions(_subscription, null);
        var told = Fields(_client);
        Assert.Equal(["start", "1", "end", "start", "end"], told.Select(NameOf));
        Assert.Equal(told[0][0].AsByteString(), told[3][0].AsByteString());
        Assert.Equal(told[2][0].AsByteString(), told[4][0].AsByteString());
        Assert.NotEqual(told[0][0].AsByteString(), told[2][0].AsByteString());
    }

    [Fact]
    public void Refresh2_OneItem_LeavesTheOthersAlone()
    {
        Report(1);
        Watch(_client, _subscription);
        var item = Watch(_client, _subscription, on: Upstream);
        Assert.Equal(StatusCode.Good, _client.Session.RefreshConditions(_subscription, item));
        Assert.Equal(["start", "end"], Told(_client));
    }

    [Fact]
    public void Refresh_Filter_LetsItsConditionsAndTheBracketPass()
    {
        for (var number = 1; number <= 5; number++)
            Report(number, severity: (ushort)(100 * number));
        Watch(_client, _subscription, above: 300);
        _client.Session.RefreshConditions(_subscription, null);
        Assert.Equal(["start", "4", "5", "end"], Told(_client));
    }

    [Fact]
    public void Refresh_BranchLeftBehind_ComesWithThePresentState()
    {
        Report(1);
        Report(1, isActive: false);
        Report(1);
        Watch(_client, _subscription);
        _client.Session.RefreshConditions(_subscription, null);
        var told = Fields(_client);
        Assert.Equal(4, told.Count);
        Assert.Single(told[1..3], static one => one[2].AsNodeId().IsNull);
    }

    [Fact]
    public void Refresh_MoreThanTheQueueHolds_LosesNoneAndNeedsOneCycle()
    {
        for (var number = 1; number <= 1000; number++)
            Report(number);
        Watch(_client, _subscription, queueSize: 10);
        _client.Session.RefreshConditions(_subscription, null);
        for (var i = 0; i < 100; i++)
            _client.Publish();
        _plant.Advance(150);
        var told = Names(_client.All());
        // Half of the queue a message, and all messages in one publishing interval.
        Assert.Equal(500, told.Count);
        Assert.Equal("start", told[0]);
        for (var i = 0; i < 110; i++)
            told.AddRange(Told(_client, 10));
        Assert.Equal(
            ["start", .. Enumerable.Range(1, 1000).Select(static one => $"{one}"), "end"], told);
    }

    /// <summary>The newest of a condition stands behind all others of it.</summary>
    [Fact]
    public void Refresh_EventsOfMeanwhile_AreNotOvertakenByOlderOnes()
    {
        for (var number = 1; number <= 50; number++)
            Report(number);
        Watch(_client, _subscription, queueSize: 10);
        _client.Session.RefreshConditions(_subscription, null);
        var told = new List<Variant[]>();
        told.AddRange(Fields(_client));
        for (var number = 1; number <= 50; number += 7)
            Report(number, severity: 900);
        for (var i = 0; i < 50; i++)
            told.AddRange(Fields(_client));
        Assert.Equal("end", NameOf(told[^1]));
        foreach (var condition in told.GroupBy(NameOf).Where(static one => char.IsDigit(one.Key[0])))
        {
            var number = int.Parse(condition.Key, System.Globalization.CultureInfo.InvariantCulture);
            Assert.Equal(number % 7 == 1 ? 900 : 500, condition.Last()[3].AsInt32());
        }
    }

    [Fact]
    public void Refresh_WrongThings_HaveTheirCodes()
    {
        Assert.Equal(StatusCodes.BadNothingToDo, Refresh(_client));
        var data = _client.Monitor(_subscription, 1);
        Assert.Equal(StatusCodes.BadNothingToDo, Refresh(_client));
        Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, Refresh(_client, data));
        Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, Refresh(_client, 9999));
        Watch(_client, _subscription);
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, Refresh(_other));
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, _client.Session.RefreshConditions(1, null).Code);
        Assert.Equal(0, _plant.Engine.RefreshService.Open);
    }

    [Fact]
    public void Refresh_UnderWay_RefusesASecondUntilItHasEnded()
    {
        Report(1);
        var item = Watch(_client, _subscription);
        Assert.Equal(StatusCodes.Good, Refresh(_client));
        Assert.Equal(StatusCodes.BadRefreshInProgress, Refresh(_client));
        Assert.Equal(StatusCodes.BadRefreshInProgress, Refresh(_client, item));
        Assert.Equal(1, _plant.Engine.RefreshService.Open);
        Assert.Equal(["start", "1", "end"], Told(_client));
        Assert.Equal(0, _plant.Engine.RefreshService.Open);
        Assert.Equal(StatusCodes.Good, Refresh(_client));
    }

    [Fact]
    public void Refresh_TooManyUnderWay_IsRefusedUntilOneHasEnded()
    {
        var conditions = new ConditionTable(
            _plant.Engine.Events, _plant.Nodes, new ConditionLimits { MaxConditionRefreshes = 1 }, _plant.Time);
        var service = new RefreshService(conditions, _plant.Engine.Events);
        var second = _other.Subscribe();
        Watch(_client, _subscription);
        Watch(_other, second);
        Assert.Equal(StatusCodes.Good, service.Refresh(_client.Session, _subscription, null).Code);
        Assert.Equal(
            StatusCodes.BadResourceUnavailable, service.Refresh(_other.Session, second, null).Code);
        Assert.Equal(["start", "end"], Told(_client));
        Assert.Equal(StatusCodes.Good, service.Refresh(_other.Session, second, null).Code);
    }

    /// <summary>R46: the last one of six is not for a client that has more than a sixth.</summary>
    [Fact]
    public void Refresh_OneClientHasManyUnderWay_AnotherOneGetsTheLastPlace()
    {
        var conditions = new ConditionTable(
            _plant.Engine.Events, _plant.Nodes, new ConditionLimits { MaxConditionRefreshes = 6 }, _plant.Time);
        var service = new RefreshService(conditions, _plant.Engine.Events);
        var greedy = _plant.OpenClient(SessionOwner.Unknown with { Certificate = "A" });
        var modest = _plant.OpenClient(SessionOwner.Unknown with { Certificate = "B" });
        var answers = new List<uint>();
        for (var i = 0; i < 6; i++)
            answers.Add(RefreshNew(greedy));
        Assert.Equal([.. Enumerable.Repeat(StatusCodes.Good, 5), StatusCodes.BadResourceUnavailable], answers);
        Assert.Equal(StatusCodes.Good, RefreshNew(modest));
        Assert.Equal(StatusCodes.BadResourceUnavailable, RefreshNew(modest));
        Assert.Equal(6, service.Open);
        Told(greedy);
        Assert.Equal(StatusCodes.Good, RefreshNew(greedy));

        uint RefreshNew(TestClient client)
        {
            var subscription = client.Subscribe();
            Watch(client, subscription);
            return service.Refresh(client.Session, subscription, null).Code;
        }
    }

    /// <summary>R44: a client may ask as often as it likes, whatever other items its subscription has.</summary>
    [Fact]
    public void Refresh_NothingToDoOrUnderWay_LooksAtNoItem()
    {
        for (uint node = 1; node <= 500; node++)
            _client.TryMonitor(_subscription, TestClient.Item(node % 10));
        Assert.Equal(StatusCodes.BadNothingToDo, Refresh(_client));
        Assert.Equal(0, Allocations.OfThousand(() => Refresh(_client)));
        var item = Watch(_client, _subscription);
        Assert.Equal(StatusCodes.Good, Refresh(_client));
        Assert.Equal(0, Allocations.OfThousand(() => Refresh(_client)));
        Assert.Equal(["start", "end"], Told(_client));
        _client.Session.DeleteMonitoredItems(new DeleteMonitoredItemsRequest
        {
            SubscriptionId = _subscription,
            MonitoredItemIds = [item],
        });
        Assert.Equal(StatusCodes.BadNothingToDo, Refresh(_client));
    }

    /// <summary>It would get more slices than the refreshes of others.</summary>
    [Fact]
    public void Refresh_ItemIsReviewedMeanwhile_HasOneTurn()
    {
        Report(1);
        Watch(_client, _subscription);
        Assert.Equal(StatusCode.Good, _client.Session.RefreshConditions(_subscription, null));
        foreach (var seesAudit in new[] { true, false })
        {
            _client.SeesAudit = seesAudit;
            _client.Session.ChangeUser(_client, Alice);
        }

        lock (_client.Session.Shard.Lock)
            Assert.Equal(1, _client.Session.Shard.Events.FeedsUnderLock);
        Assert.Equal(["start", "1", "end"], Told(_client));
    }

    /// <summary>Clients with one filter that refresh together cost one encoding.</summary>
    [Fact]
    public void EncodeRetained_OneFilter_IsOneValueUntilTheLastRefreshEnds()
    {
        Report(1);
        var item = Watch(_client, _subscription);
        var filter = _client.Session.Find(_subscription)!.Items.GetValueOrDefault(item)!.ExtrasOrNull!.Event!.Filter;
        var (hub, next) = (_plant.Engine.Events, 0);
        Assert.True(_plant.Engine.Conditions.TryReadRetained(ref next, out var record, out _));
        var server = _plant.Nodes.Find(new NodeId(StandardIds.Objects.Server));
        var refresh = hub.BeginRefresh(filter);
        refresh = hub.BeginRefresh(filter);
        var first = Encode();
        var second = Encode();
        Assert.Same(first, second);
        hub.EndRefresh(refresh);
        hub.EndRefresh(refresh);
        first.Release();
        second.Release();
        refresh = hub.BeginRefresh(filter);
        // Encoded anew, and nobody else holds it.
        var third = Encode();
        Assert.True(third.EncodedVariant.Length > 0);
        hub.EndRefresh(refresh);
        third.Release();

        SharedValue Encode()
        {
            var steps = 1;
            Assert.Equal(
                RetainedStep.Brought, hub.EncodeRetained(refresh, server, record!, out var fields, ref steps));
            return fields!;
        }
    }
}
