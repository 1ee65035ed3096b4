using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Source: Part 4 §7.22.2.</summary>
public sealed class DataChangeFilterTests : IAsyncLifetime, IAsyncDisposable
{
    private static readonly DateTime Noon = new(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);

    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public DataChangeFilterTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private int Reported(DataChangeFilter? filter, params (Variant Value, uint Status, int Seconds)[] changes)
    {
        _client.Monitor(_subscription, 1, queueSize: 100, filter: filter);
        foreach (var (value, status, seconds) in changes)
            _plant.Store.Set(_plant.Handle(1), new DataValue(value, status, Noon.AddSeconds(seconds)));
        _client.Publish();
        _plant.Advance(100);
        return _client.Next().Changes.Length - 1;
    }

    private static DataChangeFilter Trigger(DataChangeTrigger trigger) => new() { Trigger = trigger };

    private static DataChangeFilter Absolute(double deadband) => new()
    {
        Trigger = DataChangeTrigger.StatusValue,
        DeadbandType = (uint)DeadbandType.Absolute,
        DeadbandValue = deadband,
    };

    private static (Variant, uint, int) D(double value, uint status = 0, int seconds = 0) =>
        (new Variant(value), status, seconds);

    [Fact]
    public void NoFilter_ValueOrStatusReports_TimeDoesNot() =>
        Assert.Equal(3, Reported(null, D(1), D(1, 0, 1), D(2), D(2, StatusCodes.UncertainInitialValue)));

    [Fact]
    public void TriggerStatus_OnlyStatusReports() => Assert.Equal(
        2, Reported(Trigger(DataChangeTrigger.Status), D(1), D(2), D(3, 0x40000000), D(4, 0x40000000)));

    [Fact]
    public void TriggerTimestamp_NewTimeReports() => Assert.Equal(
        3, Reported(Trigger(DataChangeTrigger.StatusValueTimestamp), D(1), D(1), D(1, 0, 1), D(1, 0, 2)));

    [Fact]
    public void TriggerTimestamp_WithDeadband_IsThatForValues() => Assert.Equal(2, Reported(
        new DataChangeFilter
        {
            Trigger = DataChangeTrigger.StatusValueTimestamp,
            DeadbandType = (uint)DeadbandType.Absolute,
            DeadbandValue = 1,
        },
        D(0),
        D(0.5, 0, 1),
        D(1, 0, 2),
        D(1.5, 0, 3)));

    [Fact]
    public void TriggerStatus_WithDeadband_ValuesDoNotReport() => Assert.Equal(1, Reported(
        new DataChangeFilter { DeadbandType = (uint)DeadbandType.Absolute, DeadbandValue = 1 },
        D(0),
        D(50),
        D(100)));

    [Fact]
    public void NoFilter_OneNaNAfterAnother_ReportsOnce() => Assert.Equal(2, Reported(
        null, D(1), D(double.NaN), D(BitConverter.Int64BitsToDouble(0x7FF8000000000001))));

    [Fact]
    public void NoFilter_NullAndEmpty_AreEqual()
    {
        static (Variant, uint, int) S(string? text) => (new Variant(text), 0, 0);
        static (Variant, uint, int) A(int[]? array) => (Variant.FromArray(BuiltInType.Int32, array), 0, 0);
        Assert.Equal(3, Reported(null, S("a"), S(string.Empty), S(null), A([]), A(null)));
    }

    [Fact]
    public void AbsoluteDeadband_ComparesWithTheLastReported() =>
        Assert.Equal(3, Reported(Absolute(1), D(0), D(0.6), D(1), D(1.1), D(0.2), D(0.05)));

    [Fact]
    public void AbsoluteDeadband_NaN_ReportsOnceEachWay() =>
        Assert.Equal(3, Reported(Absolute(1), D(0), D(double.NaN), D(double.NaN), D(0)));

    [Fact]
    public void AbsoluteDeadband_StatusChange_Reports() =>
        Assert.Equal(2, Reported(Absolute(10), D(0), D(0, StatusCodes.BadDeviceFailure)));

    [Fact]
    public void AbsoluteDeadband_Array_OneElementIsEnough()
    {
        static (Variant, uint, int) A(params double[] values) =>
            (Variant.FromArray(BuiltInType.Double, values), 0, 0);
        Assert.Equal(3, Reported(Absolute(1), A(0, 0), A(0.5, -0.5), A(0, 1.5), A(0, 1.5, 0)));
    }

    [Theory]
    [InlineData(DeadbandType.Absolute, -1.0, StatusCodes.BadDeadbandFilterInvalid)]
    [InlineData(DeadbandType.Absolute, double.NaN, StatusCodes.BadDeadbandFilterInvalid)]
    [InlineData(DeadbandType.Percent, 5.0, StatusCodes.BadMonitoredItemFilterUnsupported)]
    [InlineData((DeadbandType)7, 5.0, StatusCodes.BadDeadbandFilterInvalid)]
    public void Create_BadDeadband_IsRefused(DeadbandType type, double value, uint status)
    {
        var filter = new DataChangeFilter { DeadbandType = (uint)type, DeadbandValue = value };
        Assert.Equal(status, _client.TryMonitor(_subscription, TestClient.Item(1, filter: filter)).StatusCode.Code);
    }

    [Fact]
    public void Create_FilterOnAnotherAttribute_IsRefused() => Assert.Equal(
        StatusCodes.BadFilterNotAllowed,
        _client.TryMonitor(
            _subscription,
            TestClient.Item(1, filter: new DataChangeFilter(), attribute: AttributeId.BrowseName)).StatusCode.Code);

    [Fact]
    public void Create_EventFilter_IsRefused() => Assert.Equal(
        StatusCodes.BadFilterNotAllowed,
        _client.TryMonitor(_subscription, TestClient.Item(1, filter: new EventFilter())).StatusCode.Code);
}
