using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Source: Part 4 §5.13.1.6, §5.13.5.</summary>
public sealed class TriggeringTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly PublishFixture _plant = new(limits: PublishLimits.Default with { MaxTriggeredItemsPerItem = 2 });
    private readonly TestClient _client;
    private readonly uint _subscription;

    public TriggeringTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(keepAlive: 1000, lifetime: 10_000);
        for (var i = 1u; i <= 5; i++)
            _plant.Set(i, 0);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private uint[] Sweep(params uint[] changed)
    {
        foreach (var node in changed)
            _plant.Set(node, _plant.Time.Elapsed.TotalMilliseconds + 1);
        _client.Publish();
        _plant.Advance(100);
        return [.. _client.All().SelectMany(a => a.Changes).Select(c => c.ClientHandle).Order()];
    }

    private SetTriggeringResponse Link(uint trigger, uint[]? add, uint[]? remove = null) =>
        _client.Session.SetTriggering(new SetTriggeringRequest
        {
            SubscriptionId = _subscription,
            TriggeringItemId = trigger,
            LinksToAdd = add,
            LinksToRemove = remove,
        });

    private uint Sampled(uint node, double samplingMs = 0) =>
        _client.Monitor(_subscription, node, samplingMs: samplingMs, mode: MonitoringMode.Sampling);

    private void SetMode(uint item, MonitoringMode mode) => _client.Session.SetMonitoringMode(
        new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item],
        });

    [Fact]
    public void Trigger_SamplingItself_OthersReportAndItDoesNot()
    {
        var trigger = Sampled(1);
        Link(trigger, [Sampled(2)]);
        Assert.Equal([2u], Sweep(1));
    }

    /// <summary>One Write, in either order of its nodes.</summary>
    [Theory]
    [InlineData(0, 0)]
    [InlineData(100, 100)]
    [InlineData(20, 100)]
    [InlineData(100, 0)]
    [InlineData(0, 100)]
    public void TriggerAndLinked_ChangeInOneSample_BothReportWhateverTheOrder(double trigger, double linked)
    {
        Link(_client.Monitor(_subscription, 1, samplingMs: trigger), [Sampled(2, linked)]);
        Sweep();
        for (var i = 0; i < 4; i++)
        {
            Assert.Equal([1u, 2u], Sweep(1, 2));
            Assert.Equal([1u, 2u], Sweep(2, 1));
        }
    }

    [Fact]
    public void TriggerAndLinked_OfOneNode_BothReport()
    {
        Link(_client.Monitor(_subscription, 1), [Sampled(1)]);
        Sweep();
        Assert.Equal([1u, 1u], Sweep(1));
        Assert.Equal([1u, 1u], Sweep(1));
    }

    [Fact]
    public void Linked_ChangesInTheNextCycle_WaitsForTheNextTrigger()
    {
        Link(_client.Monitor(_subscription, 1), [Sampled(2)]);
        Assert.Equal([1u, 2u], Sweep(1));
        Assert.Equal([1u], Sweep(1));
        Assert.Empty(Sweep(2));
        Assert.Equal([1u, 2u], Sweep(1));
    }

    /// <summary>Source: Part 4 §5.13.1.6: the first trigger is that of a notification queued after the link was made.
    /// </summary>
    [Fact]
    public void Link_MadeBehindTheChange_IsNotTriggeredByIt()
    {
        var (trigger, linked) = (_client.Monitor(_subscription, 1), Sampled(2));
        Sweep();
        _plant.Set(1, 1);
        _plant.Set(2, 1);
        _plant.Advance(0);
        Link(trigger, [linked]);
        Assert.Equal([1u], Sweep());
    }

    [Fact]
    public void Trigger_Disabled_NothingHappens()
    {
        var trigger = _client.Monitor(_subscription, 1);
        Link(trigger, [Sampled(2)]);
        SetMode(trigger, MonitoringMode.Disabled);
        Sweep();
        Assert.Empty(Sweep(1, 2));
    }

    [Fact]
    public void Triggered_ReportingOrDisabled_NoDifference()
    {
        var trigger = _client.Monitor(_subscription, 1);
        var disabled = _client.Monitor(_subscription, 3, mode: MonitoringMode.Disabled);
        Link(trigger, [_client.Monitor(_subscription, 2), disabled]);
        Assert.Equal([1u, 2u], Sweep());
        Assert.Equal([1u], Sweep(1, 3));
        Assert.Equal([2u], Sweep(2));
    }

    [Fact]
    public void Links_RemovedBeforeAdded()
    {
        var trigger = _client.Monitor(_subscription, 1);
        var (second, third, fourth) = (Sampled(2), Sampled(3), Sampled(4));
        Link(trigger, [second, third]);
        // There is room for two only: without the order the new one would be refused.
        var response = Link(trigger, [fourth, second], [second, third]);
        Assert.All(response.RemoveResults!, result => Assert.Equal(StatusCode.Good, result));
        Assert.All(response.AddResults!, result => Assert.Equal(StatusCode.Good, result));
        Assert.Equal([1u, 2u, 4u], Sweep(1));
    }

    [Fact]
    public void Links_MoreThanTheLimit_AreRefusedAndCounted()
    {
        var trigger = _client.Monitor(_subscription, 1);
        var (second, third, fourth) = (Sampled(2), Sampled(3), Sampled(4));
        var refused = _plant.Engine.Counters.RefusedMonitoredItems;
        var results = Link(trigger, [second, third, second, fourth]).AddResults!;
        Assert.Equal(
            [0u, 0u, 0u, StatusCodes.BadTooManyMonitoredItems], results.Select(result => result.Code));
        Assert.Equal(1, _plant.Engine.Counters.RefusedMonitoredItems - refused);
    }

    [Fact]
    public void Links_UnknownItems_EachItsResult()
    {
        var trigger = _client.Monitor(_subscription, 1);
        var unlinked = Sampled(2);
        var response = Link(trigger, [77, unlinked], [unlinked, 78]);
        Assert.Equal([StatusCodes.BadMonitoredItemIdInvalid, 0u], response.AddResults!.Select(r => r.Code));
        Assert.All(
            response.RemoveResults!, result => Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, result.Code));
    }

    [Fact]
    public void Call_AsAWhole_IsChecked()
    {
        var trigger = _client.Monitor(_subscription, 1);
        Assert.Equal(StatusCodes.BadNothingToDo, Link(trigger, null).ResponseHeader.ServiceResult.Code);
        Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, Link(99, [trigger]).ResponseHeader.ServiceResult.Code);
        var unknown = _client.Session.SetTriggering(new SetTriggeringRequest { SubscriptionId = 99, LinksToAdd = [1] });
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, unknown.ResponseHeader.ServiceResult.Code);
    }

    [Fact]
    public void TriggerDeleted_TriggeredGoesOnSampling()
    {
        var trigger = _client.Monitor(_subscription, 1);
        var triggered = Sampled(2);
        Link(trigger, [triggered]);
        Sweep();
        Assert.Equal(StatusCode.Good, _client.DeleteItem(_subscription, trigger));
        Assert.Empty(Sweep(1, 2));
        SetMode(triggered, MonitoringMode.Reporting);
        Assert.Equal([2u], Sweep());
    }

    [Fact]
    public void TriggeredDeleted_LinkGoesWithIt_AndRoomIsThere()
    {
        var trigger = _client.Monitor(_subscription, 1);
        var (second, third) = (Sampled(2), Sampled(3));
        Link(trigger, [second, third]);
        _client.DeleteItem(_subscription, second);
        Assert.Equal(StatusCode.Good, Assert.Single(Link(trigger, [Sampled(4)]).AddResults!));
        Assert.Equal([1u, 3u, 4u], Sweep(1));
    }
}
