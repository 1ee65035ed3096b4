using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Sources.Simulator;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.Tests.Simulator;

/// <summary>The events and alarms of the simulated plant, as far as the simulator makes them happen.</summary>
public sealed class PlantEventsTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly NodeTable _nodes = new();
    private readonly ValueStore _values;
    private readonly RecordedEvents _events = new();

    public PlantEventsTests()
    {
        _values = new ValueStore(_time);
        StandardNodes.Load(_nodes, _values);
    }

    [Theory]
    [InlineData(20_000, 500)]
    [InlineData(8, 1000)]
    public async Task Start_EventsPerSecond_RaisesSoManyWithoutAGap(int perSecond, int milliseconds)
    {
        await using var simulator = Make(new SimulatorOptions { EventsPerSecond = perSecond });
        for (var i = 0; i < milliseconds; i += 10)
            _time.Advance(10);
        Assert.Equal(perSecond * milliseconds / 1000, _events.Numbers.Count);
        Assert.Equal(Enumerable.Range(0, _events.Numbers.Count).Select(static one => (long)one), _events.Numbers);
    }

    [Fact]
    public async Task Start_ByDefault_RaisesNothingAndHasNoSetAlarms()
    {
        await using var simulator = Make(new SimulatorOptions());
        _time.Advance(10_000);
        Assert.Empty(_events.Numbers);
        Assert.True(Find("SetAlarms").IsNone);
    }

    [Fact]
    public async Task SetAlarms_MoreAndFewer_SwitchesTheDifference()
    {
        await using var simulator = Make(new SimulatorOptions { Alarms = 5 });
        Assert.True((await SetAsync(3)).IsGood);
        Assert.Equal([(0, true), (1, true), (2, true)], _events.Alarms);
        _events.Alarms.Clear();
        Assert.True((await SetAsync(1)).IsGood);
        Assert.Equal([(2, false), (1, false)], _events.Alarms);
        Assert.Equal(StatusCodes.BadOutOfRange, (await SetAsync(6)).Code);
        Assert.True((await SetAsync(0)).IsGood);
        Assert.Equal((0, false), _events.Alarms[^1]);
    }

    private PlantSimulator Make(SimulatorOptions options)
    {
        var simulator = new PlantSimulator(
            options with { Tags = 0 }, new SourceDriverContext(_nodes, _values, _time, NullLoggerFactory.Instance),
            _events);
        simulator.Prepare();
        simulator.Start();
        return simulator;
    }

    private NodeHandle Find(string id) =>
        _nodes.Namespaces.TryGetIndex(PlantSimulator.NamespaceUri, out var index)
            ? _nodes.Find(new NodeId(id, index))
            : default;

    private async Task<StatusCode> SetAsync(uint count)
    {
        var method = Find("SetAlarms");
        var source = Assert.IsAssignableFrom<IMethodSource>(_nodes.SourceOf(method));
        var result = await source.CallAsync(Find("Methods"), method, [new Variant(count)], CancellationToken.None);
        return result.StatusCode;
    }

    private sealed class RecordedEvents : IPlantEvents
    {
        public List<long> Numbers { get; } = [];

        public List<(int Number, bool IsActive)> Alarms { get; } = [];

        public void Raise(long number) => Numbers.Add(number);

        public void SetAlarm(int number, bool isActive) => Alarms.Add((number, isActive));
    }
}
