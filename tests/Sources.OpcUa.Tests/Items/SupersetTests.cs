using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Tests.Items;

/// <summary>One item a node at the fastest rate that is asked for, which goes some time after its last client.
/// </summary>
public sealed class SupersetTests : ItemsTest
{
    private static readonly TimeSpan Linger = TimeSpan.FromSeconds(10);

    public SupersetTests()
        : base(TightLimits with { UpstreamItemLinger = Linger })
    {
    }

    [Fact]
    public async Task Rate_Slow_AskedSo()
    {
        Connect();
        Items.OnRate(_tags[0], 2_500);
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Assert.Equal(2_500, _gateway.Server.Items.Single().RequestedParameters.SamplingInterval);
    }

    [Fact]
    public async Task Rate_FasterThanConfigured_AskedAsConfigured()
    {
        Connect();
        Items.OnRate(_tags[0], 100);
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Assert.Equal(250, _gateway.Server.Items.Single().RequestedParameters.SamplingInterval);
    }

    /// <summary>A client that asks next is promised what it can have, not what another one needed.</summary>
    [Fact]
    public async Task Rate_Slow_FasterIsStillPromised()
    {
        await WatchAsync(2_500);
        Assert.Equal(250, Items.SamplingIntervalMs(_tags[0]));
    }

    /// <summary>It may be 2.5 s + 250 ms old.</summary>
    [Theory]
    [InlineData(2_700, false)]
    [InlineData(2_800, true)]
    public async Task Rate_Slow_MaxAgeKnowsIt(double maxAgeMs, bool isYoung)
    {
        await WatchAsync(2_500);
        Assert.Equal(isYoung, Items.IsYoungerThan(_tags[0], maxAgeMs));
    }

    [Fact]
    public async Task Rate_Faster_ModifiedAtOnce()
    {
        await WatchAsync(2_500);
        Items.OnRate(_tags[0], 500);
        await FollowAsync();
        Assert.Equal(500, Modified().SamplingInterval);
        Assert.True(Items.IsYoungerThan(_tags[0], 1_000));
        Assert.Single(_gateway.Server.Items);
    }

    [Fact]
    public async Task Rate_Slower_ModifiedAfterTheLinger()
    {
        await WatchAsync(500);
        Items.OnRate(_tags[0], 2_500);
        await FollowAsync();
        Assert.Empty(Sent<ModifyMonitoredItemsRequest>());

        await AfterLingerAsync();
        Assert.Equal(2_500, Modified().SamplingInterval);
    }

    [Fact]
    public async Task Modify_KeepsTheTimestampFilter()
    {
        await WatchAsync(2_500);
        Items.OnTimestampInterest(_tags[0], wanted: true);
        Items.OnRate(_tags[0], 500);
        await FollowAsync();
        var modified = Modified();
        Assert.Equal(500, modified.SamplingInterval);
        Assert.Equal(
            DataChangeTrigger.StatusValueTimestamp, Assert.IsType<DataChangeFilter>(modified.Filter.Body).Trigger);
    }

    [Fact]
    public async Task LastClientGone_ItemStaysForTheLinger()
    {
        await WatchAsync(0);
        Items.OnInterest(_tags[0], wanted: false);
        await FollowAsync();
        Assert.Empty(Sent<DeleteMonitoredItemsRequest>());

        await AfterLingerAsync();
        Assert.Equal([1u], Sent<DeleteMonitoredItemsRequest>().Single().MonitoredItemIds!);
        Assert.Equal(0, Items.ActiveCount);
    }

    [Fact]
    public async Task BackWithinTheLinger_ValueAtOnceAndNothingAsked()
    {
        await WatchAsync(0);
        Items.OnInterest(_tags[0], wanted: false);
        await FollowAsync();
        Ingest(_tags[0], new DataValue(new Variant(2.5)));
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        await AfterLingerAsync();

        Assert.Equal(2.5, _gateway.Values.Read(_tags[0]).Value.AsDouble());
        Assert.Single(_gateway.Server.Items);
        Assert.Empty(Sent<DeleteMonitoredItemsRequest>());
    }

    /// <summary>The loop looks by itself: nothing else may happen that would wake it.</summary>
    [Fact]
    public async Task Linger_Over_TheLoopWakes()
    {
        await WatchAsync(0);
        var asked = _gateway.Server.Asked;
        while (await asked.WaitAsync(0))
        {
            // Of before.
        }

        using var stop = new CancellationTokenSource();
        Items.OnInterest(_tags[0], wanted: false);
        var following = _source.Follower.FollowAsync(_link, _subscriptions, stop.Token);
        _gateway.Time.Advance(Linger);
        await asked.WaitAsync();

        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => following);
        Assert.Single(Sent<DeleteMonitoredItemsRequest>());
    }

    private async Task WatchAsync(double rateMs)
    {
        Connect();
        Items.OnRate(_tags[0], rateMs);
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
    }

    private async Task AfterLingerAsync()
    {
        _gateway.Time.Advance(Linger);
        // The loop that begins here would look a second later only.
        Items.OnTimestampInterest(_tags[9], wanted: true);
        await FollowAsync();
    }

    private MonitoringParameters Modified() =>
        Sent<ModifyMonitoredItemsRequest>().Single().ItemsToModify!.Single().RequestedParameters;
}
