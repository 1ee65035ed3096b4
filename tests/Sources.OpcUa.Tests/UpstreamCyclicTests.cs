using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests;

/// <summary>A server without subscriptions is served all the same.</summary>
public sealed class UpstreamCyclicTests : IAsyncLifetime, IAsyncDisposable
{
    private const int NoSubscription = 5067;
    private const int Synchronized = 5002;
    private const int SubscriptionGone = 5063;

    private readonly UpstreamFixture _gateway = new();

    public Task InitializeAsync()
    {
        _gateway.Server.AddVariable(new NodeId(85), new NodeId("Speed", 2), new Variant(1.0), new NodeId(11));
        return Task.CompletedTask;
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    [Theory]
    [InlineData(StatusCodes.BadServiceUnsupported)]
    [InlineData(StatusCodes.BadTooManySubscriptions)]
    public async Task Subscribe_Refused_WatchedNodesAreReadAgainAndAgain(uint status)
    {
        _gateway.Server.SubscribeStatus = status;
        var connector = _gateway.Start(new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            MaxItems = 10,
            MaxReadsPerSecond = 10,
        });
        Assert.Contains("5 values a second", await _gateway.Log.NextAsync(NoSubscription), StringComparison.Ordinal);
        await _gateway.Log.NextAsync(Synchronized);
        var node = _gateway.Find("Speed");
        // Known before the first item: five a second at most, so no better than 250 ms.
        Assert.Equal(250, _gateway.Source.SamplingIntervalMs(node));

        _gateway.Source.OnInterest(node, wanted: true);
        await Condition.UntilAsync(() => IsThere(1.0));
        _gateway.Server.Attributes[(new NodeId("Speed", 2), AttributeId.Value)] = new DataValue(new Variant(2.0));
        // The reader's timer may begin behind an advance; the clock does not run ahead of a request under way.
        var looks = 0;
        await Condition.UntilAsync(() =>
        {
            if (looks++ % 100 == 0)
                _gateway.Time.Advance(250);
            return IsThere(2.0);
        });

        var report = connector.Report;
        Assert.Equal((0, 1), (report.Counts.MonitoredItems, report.Counts.CyclicItems));
        Assert.Equal(SourceState.Online, report.State);
        Assert.Empty(_gateway.Server.Items);

        bool IsThere(double expected) =>
            _gateway.Values.Read(node).Value is { IsNull: false } value && value.AsDouble().Equals(expected);
    }

    /// <summary>It may be at another server: what is there is looked at again.</summary>
    [Fact]
    public async Task Break_ANewSession_AllAnew()
    {
        _gateway.Server.SubscribeStatus = StatusCodes.BadServiceUnsupported;
        _gateway.Start();
        await _gateway.Log.NextAsync(Synchronized);
        _gateway.Server.AddVariable(new NodeId(85), new NodeId("Later", 2), new Variant(1.0), new NodeId(11));

        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        _gateway.Server.Session!.Close();

        await _gateway.Log.NextAsync(SubscriptionGone);
        await _gateway.Log.NextAsync(Synchronized);
        Assert.False(_gateway.Find("Later").IsNone);
    }
}
