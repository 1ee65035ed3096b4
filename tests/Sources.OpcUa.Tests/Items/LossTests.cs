using Gateway.Codec.Types;

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
