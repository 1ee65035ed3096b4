using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>
/// The embedded plant in the namespace <c>urn:gateway:simulator</c>: tags that count, a writable variable of each type,
/// methods, and a plant for people to look at. Its nodes are there once it is made; values move after
/// <see cref="Start"/>. Threads: <see cref="Start"/> and <see cref="DisposeAsync"/> by the host.
/// </summary>
public sealed class PlantSimulator : IAsyncDisposable
{
    public const string NamespaceUri = "urn:gateway:simulator";

    private readonly TimeProvider _time;
    private readonly TagDriver _tags;
    private readonly BottlingPlant _plant;
    private ITimer? _tagTimer;
    private ITimer? _plantTimer;

    public PlantSimulator(NodeTable nodes, ValueStore values, SimulatorOptions options, TimeProvider time)
    {
        _time = time;
        var builder = new SimulatorNodes(nodes, values, time);
        var objects = new NodeId(StandardIds.Objects.ObjectsFolder);
        var root = builder.AddFolder("Simulator", objects, "Nodes for trying out and for load tests");
        var tags = AddTags(builder, root, options.Tags);
        TypedVariables.Add(builder, root);
        SimulatorMethods.Add(builder, nodes, root, time);
        _plant = BottlingPlant.Add(builder, objects);
        builder.Apply();
        _tags = new TagDriver(nodes, values, tags, options.ChangesPerSecond, time);
        _plant.Bind(nodes, values, time);
    }

    /// <summary>Starts the changes. Once.</summary>
    public void Start()
    {
        if (_tagTimer is not null)
            throw new InvalidOperationException("The simulator runs already.");
        _tags.Begin();
        var period = _tags.Period;
        _tagTimer = _time.CreateTimer(static state => ((TagDriver)state!).Tick(), _tags, period, period);
        var second = TimeSpan.FromSeconds(1);
        _plantTimer = _time.CreateTimer(static state => ((BottlingPlant)state!).Tick(), _plant, second, second);
    }

    /// <summary>Stops the changes; the nodes stay.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_tagTimer is not null)
            await _tagTimer.DisposeAsync().ConfigureAwait(false);
        if (_plantTimer is not null)
            await _plantTimer.DisposeAsync().ConfigureAwait(false);
    }

    private static NodeId[] AddTags(SimulatorNodes builder, NodeId root, int count)
    {
        var folder = builder.AddFolder("Tags", root, "Each counts up by one with every change");
        var facts = new VariableFacts(new NodeId(StandardIds.DataTypes.Double));
        var ids = new NodeId[count];
        for (var i = 0; i < count; i++)
        {
            ids[i] = new NodeId((uint)(TagDriver.FirstTagId + i), builder.NamespaceIndex);
            builder.AddVariable(ids[i], $"Tag{i}", folder, facts, new Variant(0.0));
        }

        return ids;
    }
}
