using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.Simulator;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.Tests.Simulator;

public class PlantSimulatorTests
{
    private const ushort Index = 2;
    private readonly ManualTimeProvider _time = new();
    private readonly NodeTable _nodes = new();
    private readonly ValueStore _values;

    public PlantSimulatorTests()
    {
        _values = new ValueStore(_time);
        StandardNodes.Load(_nodes, _values);
        _nodes.Namespaces.GetOrAdd("urn:test:server");
    }

    [Fact]
    public async Task Construct_Always_TakesNamespaceIndexTwo()
    {
        await using var simulator = Make(1, 0);
        Assert.Equal("urn:gateway:simulator", _nodes.Namespaces.GetUri(Index));
    }

    [Fact]
    public async Task Construct_Always_HasTheContractsNodes()
    {
        await using var simulator = Make(10, 0);
        for (var i = 0u; i < 10; i++)
            Assert.Equal(BuiltInType.Double, _nodes.GetVariableFacts(Find(1000 + i)).BuiltInType);
        Assert.True(Find(1010).IsNone);
        for (var type = BuiltInType.Boolean; type <= BuiltInType.LocalizedText; type++)
        {
            AssertWritable(type.ToString(), type, -1);
            AssertWritable($"{type}[]", type, 1);
        }

        Assert.False(_nodes.GetVariableFacts(Find("ReadOnly")).IsWritable);
        Assert.Equal(NodeClass.Object, _nodes.GetNodeClass(Find("Methods")));
        Assert.Equal(NodeClass.Object, _nodes.GetNodeClass(Find("Plant")));
        Assert.All(["Add", "Echo", "Wait"], name => Assert.Equal(NodeClass.Method, _nodes.GetNodeClass(Find(name))));
    }

    [Fact]
    public async Task Construct_EveryVariable_HasAGoodFirstValueOfItsType()
    {
        await using var simulator = Make(5, 0);
        var variables = 0;
        for (var i = 1; i < _nodes.HandleEnd; i++)
        {
            var node = new NodeHandle(i);
            if (_nodes.GetNodeId(node).NamespaceIndex != Index || _nodes.GetNodeClass(node) != NodeClass.Variable)
                continue;
            variables++;
            var value = _values.Read(node);
            Assert.True(value.Status.IsGood, _nodes.GetNodeId(node).ToString());
            Assert.Equal(_nodes.GetVariableFacts(node).BuiltInType, value.Value.Type);
            Assert.Equal(_nodes.GetVariableFacts(node).ValueRank, value.Value.ValueRank);
        }

        Assert.True(variables > 150);
    }

    [Fact]
    public async Task Start_OneSecond_EachTagCountedEvenly()
    {
        await using var simulator = Make(100, 1000);
        simulator.Start();
        var before = _time.GetUtcNow().UtcDateTime;
        _time.Advance(1000);
        for (var i = 0u; i < 100; i++)
            Assert.Equal(10, Tag(i).Value.AsDouble());
        Assert.Equal(before.AddMilliseconds(1000), Tag(99).SourceTimestamp);
        _time.Advance(10);
        Assert.Equal([11.0, 11, 10], new uint[] { 0, 9, 10 }.Select(i => Tag(i).Value.AsDouble()));
    }

    [Fact]
    public async Task Start_AnHour_HasNotDrifted()
    {
        await using var simulator = Make(7, 4);
        simulator.Start();
        _time.Advance(TimeSpan.FromHours(1));
        Assert.Equal(4 * 3600, Enumerable.Range(0, 7).Sum(i => (int)Tag((uint)i).Value.AsDouble()));
    }

    [Fact]
    public async Task Start_Watched_EveryChangeIsOneMore()
    {
        await using var simulator = Make(4, 200);
        var inbox = _values.OpenInbox(100_000, static () => { });
        for (var i = 0u; i < 4; i++)
            _values.Attach(Find(1000 + i), inbox.Shard);
        simulator.Start();
        var last = new Dictionary<NodeHandle, double>();
        for (var step = 0; step < 100; step++)
        {
            _time.Advance(10);
            for (var i = 0u; i < 4; i++)
            {
                var value = Tag(i).Value.AsDouble();
                Assert.InRange(value - last.GetValueOrDefault(Find(1000 + i)), 0, 1);
                last[Find(1000 + i)] = value;
            }
        }

        Assert.All(last.Values, value => Assert.Equal(50, value));
    }

    [Fact]
    public async Task Start_NoChangesConfigured_NothingMoves()
    {
        await using var simulator = Make(3, 0);
        simulator.Start();
        _time.Advance(5000);
        Assert.Equal(0, Tag(0).Value.AsDouble());
    }

    [Fact]
    public async Task Dispose_Running_StopsTheChanges()
    {
        var simulator = Make(1, 100);
        simulator.Start();
        _time.Advance(100);
        await simulator.DisposeAsync();
        var value = Tag(0).Value;
        _time.Advance(1000);
        Assert.Equal(value, Tag(0).Value);
    }

    [Fact]
    public async Task Tick_SteadyState_AllocatesNothing()
    {
        await using var simulator = Make(1000, 0);
        var ids = Enumerable.Range(0, 1000).Select(i => new NodeId((uint)(1000 + i), Index)).ToArray();
        var driver = new TagDriver(_nodes, _values, ids, 10_000, _time);
        driver.Begin();
        var steps = 0;
        for (var i = 0; i < 50; i++)
            Step();
        Assert.Equal(0, Allocations.Least(() => Enumerable.Range(0, 10).Sum(_ => Step())));
        Assert.Equal(steps / 10, Tag(0).Value.AsDouble());

        long Step()
        {
            steps++;
            _time.Advance(10);
            var before = GC.GetAllocatedBytesForCurrentThread();
            driver.Tick();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Fact]
    public async Task Plant_Minutes_MachinesRunAndCount()
    {
        await using var simulator = Make(1, 0);
        simulator.Start();
        _time.Advance(TimeSpan.FromMinutes(5));
        Assert.InRange(Read("Plant/Line1/Filler/Temperature").AsDouble(), 23, 90);
        Assert.InRange(Read("Plant/Line1/Filler/GoodCount").AsUInt32(), 100u, 5_000u);
        Assert.InRange(Read("Plant/Line2/Availability").AsDouble(), 0, 120);
        Assert.InRange(Read("Plant/Line3/Packer/State").AsUInt32(), 0u, 4u);
    }

    [Fact]
    public async Task Plant_SetpointWritten_SpeedFollows()
    {
        await using var simulator = Make(1, 0);
        simulator.Start();
        var setpoint = Find("Plant/Line1/Filler/SpeedSetpoint");
        var results = new StatusCode[1];
        await _nodes.SourceOf(setpoint)!.WriteAsync(
            new[] { new SourceWrite(setpoint, new DataValue(new Variant(60.0))) }, results, default);
        _time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(StatusCodes.Good, results[0].Code);
        Assert.InRange(Read("Plant/Line1/Filler/Speed").AsDouble(), 59, 61);
    }

    [Fact]
    public async Task Plant_Analogs_HaveRangeAndUnit()
    {
        await using var simulator = Make(1, 0);
        var range = Read("Plant/Line1/Filler/Temperature/EURange").AsStructure<Codec.Structures.Range>()!;
        var unit = Read("Plant/Line1/Filler/Temperature/EngineeringUnits").AsStructure<EUInformation>()!;
        Assert.Equal((0, 120), (range.Low, range.High));
        Assert.Equal((4408652, "°C"), (unit.UnitId, unit.DisplayName.Text));
    }

    [Fact]
    public async Task Report_StartedAndStopped_ItsStateAndNodes()
    {
        await using var simulator = Make(tags: 7, 0);
        var made = Assert.Single(simulator.Report());
        _time.Advance(TimeSpan.FromSeconds(3));
        simulator.Start();
        var started = Assert.Single(simulator.Report());
        await simulator.DisposeAsync();

        Assert.Equal(SourceState.Stopped, made.State);
        Assert.Equal(("Simulator", SourceState.Online), (started.Name, started.State));
        Assert.Equal(made.Since + TimeSpan.FromSeconds(3), started.Since);
        Assert.True(started.Nodes > 7);
        Assert.Equal(SourceState.Stopped, Assert.Single(simulator.Report()).State);
    }

    private PlantSimulator Make(int tags, int changesPerSecond)
    {
        var simulator = new PlantSimulator(
            new SimulatorOptions { Tags = tags, ChangesPerSecond = changesPerSecond },
            new SourceDriverContext(_nodes, _values, _time, NullLoggerFactory.Instance));
        simulator.Prepare();
        return simulator;
    }

    private NodeHandle Find(uint id) => _nodes.Find(new NodeId(id, Index));

    private NodeHandle Find(string id) => _nodes.Find(new NodeId(id, Index));

    private DataValue Tag(uint number) => _values.Read(Find(1000 + number));

    private Variant Read(string id) => _values.Read(Find(id)).Value;

    private void AssertWritable(string name, BuiltInType type, int valueRank)
    {
        var facts = _nodes.GetVariableFacts(Find(name));
        Assert.True(facts.IsWritable, name);
        Assert.Equal((type, valueRank), (facts.BuiltInType, facts.ValueRank));
    }
}
