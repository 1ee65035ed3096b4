using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Items;

/// <summary>Nodes for which the upstream has no items are read again and again, and that is told truthfully.</summary>
public sealed class CyclicTests : ItemsTest
{
    [Fact]
    public async Task Create_NoRoomInAll_TheRestIsReadAtItsInterval()
    {
        Fill(1);
        _gateway.Server.MaxItems = 5;
        await WatchAsync(8);
        Assert.Equal((5, 3), (Items.ActiveCount, Items.CyclicCount));

        await CycleAsync();

        Assert.Equal(3, _tags[..8].Count(tag => _gateway.Values.Read(tag).Value.AsDouble() == 1));
        // Nothing is due before its time.
        Fill(2);
        await CycleAsync();
        Assert.DoesNotContain(_tags[..8], tag => _gateway.Values.Read(tag).Value.AsDouble() == 2);
        _gateway.Time.Advance(250);
        await CycleAsync();

        Assert.Equal(3, _tags[..8].Count(tag => _gateway.Values.Read(tag).Value.AsDouble() == 2));
        Assert.All(Sent<ReadRequest>(), static read => Assert.Equal(3, read.NodesToRead!.Length));
    }

    /// <summary>Four reads a second are half of the budget.</summary>
    [Theory]
    [InlineData(0, 250)]
    [InlineData(1, 0)]
    public async Task SamplingInterval_NoItem_TheOneThatIsGranted(int before, double expected)
    {
        _gateway.Server.MaxItems = 0;
        Items.MaxReadsPerSecond = 8;
        // The first refusal shows it.
        await WatchAsync(1);
        if (before == 0)
            Items.OnInterest(_tags[0], wanted: false);
        else
            Assert.Equal(250, Items.SamplingIntervalMs(_tags[0]));

        Items.OnInterest(_tags[1], wanted: true);

        Assert.Equal(250, Items.SamplingIntervalMs(_tags[before]));
        Assert.Equal(before == 0, expected > 0 && Items.CyclicCount == 1);
    }

    /// <summary>A later one gets what is left: it is promised that and no more.</summary>
    [Fact]
    public async Task SamplingInterval_BudgetAlmostSpent_Longer()
    {
        _gateway.Server.MaxItems = 0;
        Items.MaxReadsPerSecond = 9;
        await WatchAsync(1);

        var promised = Items.SamplingIntervalMs(_tags[1]);
        Items.OnInterest(_tags[1], wanted: true);
        var granted = Items.SamplingIntervalMs(_tags[1]);
        await FollowAsync();

        Assert.Equal((2_500, 2_500), (promised, granted));
        Assert.Equal((250, 2), (Items.SamplingIntervalMs(_tags[0]), Items.CyclicCount));
    }

    [Fact]
    public async Task Create_NoRoomAndNoReads_SaysWhy()
    {
        _gateway.Server.MaxItems = 0;
        Items.MaxReadsPerSecond = 8;

        await WatchAsync(2);

        Assert.Equal(1, Items.CyclicCount);
        Assert.Equal(1, _tags[..2].Count(
            tag => _gateway.Values.Read(tag).Status == StatusCodes.BadTooManyMonitoredItems));
    }

    [Fact]
    public async Task Delete_ThereIsRoomAgain_AnItemInPlaceOfTheReads()
    {
        _gateway.Server.MaxItems = 2;
        await WatchAsync(3);
        Assert.Equal(1, Items.CyclicCount);

        Items.OnInterest(_tags[0], wanted: false);
        await FollowAsync();
        await FollowAsync();

        Assert.Equal((2, 0), (Items.ActiveCount, Items.CyclicCount));
    }

    /// <summary>Other clients of the upstream have gone: nothing tells so.</summary>
    [Fact]
    public async Task Create_NoRoom_AskedForAgainAfterAMinute()
    {
        _gateway.Server.MaxItems = 2;
        await WatchAsync(5);
        _gateway.Server.MaxItems = 100;
        var before = Sent<CreateMonitoredItemsRequest>().Count();

        await MinuteAsync(() => Sent<CreateMonitoredItemsRequest>().Count() > before && Items.ActiveCount == 5);

        Assert.Equal((5, 0), (Items.ActiveCount, Items.CyclicCount));
    }

    /// <summary>Trying again and again makes no subscription after the other.</summary>
    [Fact]
    public async Task Create_NeverAnyRoom_NoMoreSubscriptions()
    {
        _gateway.Server.MaxItems = 2;
        await WatchAsync(5);
        for (var i = 0; i < 5; i++)
        {
            var before = Sent<CreateMonitoredItemsRequest>().Count();
            await MinuteAsync(() => Sent<CreateMonitoredItemsRequest>().Count() > before);
        }

        Assert.Equal(2, _subscriptions.Count);
        Assert.Equal(3, Items.CyclicCount);
    }

    [Fact]
    public async Task Interest_LastOneGoes_NoLongerRead()
    {
        _gateway.Server.MaxItems = 0;
        await WatchAsync(2);

        Items.OnInterest(_tags[0], wanted: false);
        await CycleAsync();

        Assert.Single(Assert.Single(Sent<ReadRequest>()).NodesToRead!);
        Assert.Equal(1, Items.CyclicCount);
    }

    [Theory]
    [InlineData(199, false)]
    [InlineData(200, true)]
    [InlineData(int.MaxValue, true)]
    public async Task TryRead_MaxAge_SinceItWasAsked(double maxAgeMs, bool isYoung)
    {
        Fill(1);
        _gateway.Server.MaxItems = 0;
        await WatchAsync(1);
        await CycleAsync();
        _gateway.Time.Advance(200);

        Assert.Equal(isYoung, Items.IsYoungerThan(_tags[0], maxAgeMs));
    }

    /// <summary>Refused or without an answer: said so, and the next beat asks again.</summary>
    [Fact]
    public async Task Read_Fails_ItsStatusAndTheNextBeatAsksAgain()
    {
        Fill(1);
        _gateway.Server.MaxItems = 0;
        await WatchAsync(1);
        _gateway.Server.OnRequest = static request => request is ReadRequest ? StatusCodes.BadTimeout : default;
        await CycleAsync();
        Assert.Equal(StatusCodes.BadTimeout, _gateway.Values.Read(_tags[0]).Status.Code);

        _gateway.Server.OnRequest = null;
        _gateway.Time.Advance(250);
        await CycleAsync();

        Assert.Equal(1, _gateway.Values.Read(_tags[0]).Value.AsDouble());
    }

    private async Task WatchAsync(int count)
    {
        Connect();
        foreach (var tag in _tags[..count])
            Items.OnInterest(tag, wanted: true);
        await FollowAsync();
    }

    /// <summary>The loop that follows the wishes waits for a minute.</summary>
    private async Task MinuteAsync(Func<bool> isDone)
    {
        using var stop = new CancellationTokenSource();
        var following = _source.Follower.FollowAsync(_link, _subscriptions, stop.Token);
        _gateway.Time.Advance(TimeSpan.FromSeconds(59));
        Assert.False(isDone());
        _gateway.Time.Advance(TimeSpan.FromSeconds(2));
        await Condition.UntilAsync(isDone);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => following);
    }

    /// <summary>The fake answers at once: all that is due is read when the loop first waits.</summary>
    private async Task CycleAsync()
    {
        using var stop = new CancellationTokenSource();
        var running = _source.Cycles.RunAsync(_link, stop.Token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    private void Fill(double value)
    {
        for (var i = 0; i < _tags.Length; i++)
            _gateway.Server.Attributes[(new NodeId("T" + i, 2), AttributeId.Value)] =
                new DataValue(new Variant(value));
    }
}
