using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

public sealed class SamplingTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public SamplingTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(keepAlive: 100, lifetime: 1000);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private double[] Values() => [.. _client.All().SelectMany(a => a.Changes).Select(c => c.Value.Value.AsDouble())];

    private void HoldRequests(int count)
    {
        for (var i = 0; i < count; i++)
            _client.Publish();
    }

    [Theory]
    [InlineData(-1, 100)]
    [InlineData(0, 0)]
    [InlineData(3, 10)]
    [InlineData(250, 250)]
    [InlineData(double.NaN, 100)]
    [InlineData(double.PositiveInfinity, 3_600_000)]
    public void Create_SamplingInterval_IsRevised(double requested, double revised)
    {
        var result = _client.TryMonitor(_subscription, TestClient.Item(1, samplingMs: requested));
        Assert.Equal(revised, result.RevisedSamplingInterval);
    }

    [Fact]
    public void Zero_EveryChangeIsQueued()
    {
        _client.Monitor(_subscription, 1, queueSize: 10);
        HoldRequests(1);
        for (var i = 1; i <= 5; i++)
            _plant.Set(1, i);
        _plant.Advance(100);
        Assert.Equal([1, 2, 3, 4, 5], Values().Where(v => !double.IsNaN(v)));
    }

    [Fact]
    public void EqualToPublishing_ChangeJustBeforeEachSweep_NoneIsLost()
    {
        _plant.Set(1, 0);
        _client.Monitor(_subscription, 1, samplingMs: 100);
        HoldRequests(50);
        for (var i = 1; i <= 40; i++)
        {
            _plant.Advance(99.5);
            _plant.Set(1, i);
            _plant.Advance(0.5);
        }

        Assert.Equal(Enumerable.Range(1, 40).Select(i => (double)i), Values().Where(v => v > 0));
    }

    [Fact]
    public void EqualToPublishing_LoopComesLate_ChangeInBetweenGoesOut()
    {
        _plant.Set(1, 0);
        _client.Monitor(_subscription, 1, samplingMs: -1);
        HoldRequests(2);
        _plant.Advance(100);
        _client.All();
        _plant.Time.Advance(107);
        _plant.Set(1, 7);
        _plant.Advance(0);
        Assert.Equal([7], Values());
    }

    [Fact]
    public void FasterThanPublishing_NewestOfEachPeriod()
    {
        _plant.Set(1, 0);
        _client.Monitor(_subscription, 1, queueSize: 20, samplingMs: 20);
        HoldRequests(2);
        _plant.Advance(100);
        _client.All();
        for (var i = 1; i <= 50; i++)
        {
            _plant.Advance(1);
            _plant.Set(1, i);
            _plant.Advance(1);
        }

        // Periods end at 20, 40 … ms: the last changes before are 10, 20 … (set at 19, 39 … ms).
        Assert.Equal([10, 20, 30, 40, 50], Values());
    }

    [Fact]
    public void SlowerThanPublishing_OneValueAPeriod()
    {
        _plant.Set(1, 0);
        _client.Monitor(_subscription, 1, queueSize: 20, samplingMs: 500);
        HoldRequests(30);
        _plant.Advance(100);
        _client.All();
        for (var i = 1; i <= 20; i++)
        {
            _plant.Advance(50);
            _plant.Set(1, i);
            _plant.Advance(50);
        }

        Assert.Equal([4, 9, 14, 19], Values());
    }

    [Fact]
    public void Initial_NothingEverSet_IsWaitingForInitialData()
    {
        _client.Monitor(_subscription, 1);
        HoldRequests(1);
        _plant.Advance(100);
        var value = Assert.Single(_client.Next().Changes).Value;
        Assert.Equal(StatusCodes.BadWaitingForInitialData, value.Status.Code);
        Assert.True(value.Value.IsNull);
    }

    [Fact]
    public void Initial_OldChangesStillUnderWay_AreNotRepeated()
    {
        var other = _client.Monitor(_subscription, 1, queueSize: 10);
        _plant.Set(1, 1);
        _plant.Set(1, 2);
        _client.Monitor(_subscription, 1, queueSize: 10);
        _plant.Set(1, 3);
        HoldRequests(1);
        _plant.Advance(100);
        var all = Values().Where(v => !double.IsNaN(v)).ToArray();
        Assert.NotEqual(0u, other);
        Assert.Equal([1, 2, 2, 3, 3], all.Order());
    }

    [Fact]
    public void OtherAttribute_InitialValueOnly()
    {
        var result = _client.TryMonitor(_subscription, TestClient.Item(1, attribute: AttributeId.BrowseName));
        Assert.Equal(StatusCode.Good, result.StatusCode);
        HoldRequests(2);
        _plant.Advance(100);
        Assert.Equal("Tag1", _client.Next().Changes[0].Value.Value.AsQualifiedName().Name);
        _plant.Set(1, 1);
        _plant.Advance(500);
        Assert.Equal(0, _client.Pending);
    }

    [Fact]
    public void Disabled_NothingIsReportedAndNodeNotWatched()
    {
        _client.Monitor(_subscription, 1, mode: MonitoringMode.Disabled);
        HoldRequests(1);
        _plant.Set(1, 1);
        _plant.Advance(100);
        Assert.True(_client.Next().IsKeepAlive);
        Assert.False(_plant.Store.IsWatched(_plant.Handle(1)));
    }

    [Fact]
    public void Sampling_QueuesWithoutReporting()
    {
        _client.Monitor(_subscription, 1, mode: MonitoringMode.Sampling);
        HoldRequests(1);
        _plant.Advance(100);
        Assert.True(_client.Next().IsKeepAlive);
        Assert.True(_plant.Store.IsWatched(_plant.Handle(1)));
    }

    [Fact]
    public void Range_PartOfArray_IsReportedAndComparedAlone()
    {
        SetArray(1, 2, 3, 4);
        _client.Monitor(_subscription, 1, range: "1:2");
        HoldRequests(3);
        _plant.Advance(100);
        Assert.Equal([2.0, 3.0], Assert.Single(_client.Next().Changes).Value.Value.AsArray<double>()!);
        SetArray(9, 2, 3, 9);
        _plant.Advance(200);
        Assert.Equal(0, _client.Pending);
        SetArray(9, 2, 5, 9);
        _plant.Advance(100);
        Assert.Equal([2.0, 5.0], Assert.Single(_client.Next().Changes).Value.Value.AsArray<double>()!);
        SetArray(1);
        _plant.Advance(100);
        Assert.Equal(StatusCodes.BadIndexRangeNoData, Assert.Single(_client.Next().Changes).Value.Status.Code);
    }

    private void SetArray(params double[] values) =>
        _plant.Store.Set(_plant.Handle(1), new DataValue(Variant.FromArray(BuiltInType.Double, values)));
}
