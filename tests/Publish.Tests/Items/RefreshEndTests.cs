using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Publish.Tests.Items;

/// <summary>A refresh that is cut short or moved, and losses that ask for one. Source: Part 9 §5.5.7, §5.11.4.
/// </summary>
public sealed class RefreshEndTests : RefreshTest
{
    [Theory]
    [InlineData("delete item")]
    [InlineData("delete subscription")]
    [InlineData("sampling")]
    [InlineData("disabled")]
    [InlineData("filter")]
    public void Refresh_CutShort_IsOver(string how)
    {
        for (var number = 1; number <= 100; number++)
            Report(number);
        var item = Watch(_client, _subscription, queueSize: 10);
        Assert.Equal(StatusCodes.Good, Refresh(_client));
        _plant.Advance(0);
        Assert.Equal(1, _plant.Engine.RefreshService.Open);
        switch (how)
        {
            case "delete item":
                _client.DeleteItem(_subscription, item);
                break;
            case "delete subscription":
                _client.Delete(_subscription);
                break;
            case "filter":
                Modify(item);
                break;
            default:
                SetMode(item, how == "sampling" ? MonitoringMode.Sampling : MonitoringMode.Disabled);
                break;
        }

        _plant.Advance(0);
        Assert.Equal(0, _plant.Engine.RefreshService.Open);
    }

    [Fact]
    public void Refresh_OfAnItemThatIsCutByItsMode_IsAskedForAgain()
    {
        for (var number = 1; number <= 20; number++)
            Report(number);
        var item = Watch(_client, _subscription, queueSize: 10);
        Refresh(_client);
        _plant.Advance(0);
        SetMode(item, MonitoringMode.Sampling);
        SetMode(item, MonitoringMode.Reporting);
        Assert.Equal("required", Told(_client)[^1]);
    }

    /// <summary>Without any event to come.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Refresh_CutWithAnEmptyQueue_IsAskedForAgain(bool byFilter)
    {
        for (var number = 1; number <= 20; number++)
            Report(number);
        var item = Watch(_client, _subscription, queueSize: 10);
        Refresh(_client);
        Told(_client, 100);
        var feed = _client.Session.Find(_subscription)!.Items.GetValueOrDefault(item)!.ExtrasOrNull!.Event!.Feed;
        Assert.NotNull(feed);
        if (byFilter)
        {
            Modify(item);
        }
        else
        {
            SetMode(item, MonitoringMode.Sampling);
            SetMode(item, MonitoringMode.Reporting);
        }

        Assert.Equal("required", Told(_client)[^1]);
        Assert.Empty(Told(_client));
    }

    [Fact]
    public void Refresh_Transferred_GoesOnAtTheOtherSession()
    {
        for (var number = 1; number <= 30; number++)
            Report(number);
        Watch(_client, _subscription, queueSize: 10);
        Refresh(_client);
        _plant.Advance(0);
        Assert.Equal(StatusCode.Good, _other.Transfer(_subscription).StatusCode);
        var told = new List<string>();
        for (var i = 0; i < 20; i++)
            told.AddRange(Told(_other));
        Assert.Equal(["start", .. Enumerable.Range(1, 30).Select(static one => $"{one}"), "end"], told);
    }

    [Fact]
    public void Refresh_SourceThatTheUserMayNotHaveEventsOf_LeavesItsConditionsOut()
    {
        Restrict();
        Report(1);
        Report(2, source: new NodeId(Upstream, 1));
        Watch(_client, _subscription);
        Watch(_other, _other.Subscribe());
        _client.NoEvents.Add(_plant.Handle(Upstream));
        Refresh(_client);
        Assert.Equal(["start", "1", "end"], Told(_client));
        _client.NoEvents.Clear();
        Refresh(_client);
        Assert.Equal(["start", "1", "2", "end"], Told(_client));
    }

    [Fact]
    public void Overflow_WithConditions_AsksForARefreshOnceTheQueueIsEmpty()
    {
        Watch(_client, _subscription, queueSize: 10);
        for (var number = 1; number <= 12; number++)
            Report(number);
        var told = Told(_client);
        Assert.Equal("overflow", told[0]);
        Assert.Equal("required", told[^1]);
        Assert.Equal(12, told.Count);
        Report(13);
        Assert.Equal(["13"], Told(_client));
    }

    [Fact]
    public void Overflow_DiscardingTheNewest_AsksToo()
    {
        Watch(_client, _subscription, queueSize: 10, discardOldest: false);
        for (var number = 1; number <= 12; number++)
            Report(number);
        Assert.Equal(["overflow", "required"], Told(_client)[^2..]);
    }

    [Fact]
    public void Overflow_OfTheShard_AsksToo()
    {
        Watch(_client, _subscription, queueSize: 1000);
        for (var number = 1; number <= 10_001; number++)
            Report(1, severity: (ushort)(number % 1000 + 1));
        Assert.Equal("required", Told(_client)[^1]);
    }

    [Fact]
    public void Overflow_OfOtherEvents_AsksForNothing()
    {
        Watch(_client, _subscription, queueSize: 10);
        for (var i = 0; i < 12; i++)
        {
            _plant.Engine.Events.Raise(_plant.Engine.Events.Maker.Make(
                Gateway.Events.Model.StandardEvents.SystemEvent, default, "Server", "event", 300));
        }

        Assert.DoesNotContain("required", Told(_client));
        Assert.Empty(Told(_client));
    }
}
