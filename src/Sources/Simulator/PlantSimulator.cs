using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>
/// The driver <c>Simulator</c>: an embedded plant in the namespace <c>urn:gateway:simulator</c> with tags that count, a
/// writable variable of each type, methods, and a plant with lines and machines to browse. Threads: as for
/// <see cref="ISourceDriver"/>.
/// </summary>
public sealed class PlantSimulator(SimulatorOptions options, SourceDriverContext context, IPlantEvents? events = null)
    : ISourceDriver
{
    public const string DriverName = "Simulator";

    public const string NamespaceUri = "urn:gateway:simulator";

    private SourceReport _report = new()
    {
        Name = DriverName,
        State = SourceState.Stopped,
        Since = context.Time.GetUtcNow(),
    };

    private TagDriver? _tags;
    private BottlingPlant? _plant;
    private EventDriver? _events;
    private ITimer? _tagTimer;
    private ITimer? _eventTimer;
    private ITimer? _plantTimer;

    /// <param name="options">Of the plant.</param>
    /// <param name="findEvents">Null, or gives null: the plant has no events and no alarms.</param>
    public static SourceDriverRegistration Register(
        SimulatorOptions options, Func<IPlantEvents?>? findEvents = null) =>
        new(DriverName, context => new PlantSimulator(options, context, findEvents?.Invoke()))
        {
            IsEnabled = options.Enabled,
            FixedNamespaces = [NamespaceUri],
        };

    public void Prepare()
    {
        var (nodes, values, time) = (context.Nodes, context.Values, context.Time);
        var before = nodes.Count;
        var builder = new SimulatorNodes(nodes, values, time);
        var objects = new NodeId(StandardIds.Objects.ObjectsFolder);
        var root = builder.AddFolder("Simulator", objects, "Nodes for trying out and for load tests");
        var tags = AddTags(builder, root, options.Tags);
        TypedVariables.Add(builder, root);
        var alarms = events is null || options.Alarms == 0 ? null : new AlarmSwitch(events, options.Alarms);
        SimulatorMethods.Add(builder, nodes, root, time, alarms);
        _plant = BottlingPlant.Add(builder, objects);
        builder.Apply();
        _tags = new TagDriver(nodes, values, tags, options.ChangesPerSecond, time);
        _plant.Bind(nodes, values, time);
        if (events is not null && options.EventsPerSecond > 0)
            _events = new EventDriver(events, options.EventsPerSecond, time);
        _report = _report with { Nodes = nodes.Count - before };
    }

    /// <summary>Starts the changes. Once, after <see cref="Prepare"/>.</summary>
    public void Start()
    {
        if (_tags is null || _tagTimer is not null)
            throw new InvalidOperationException("The simulator has no nodes, or runs already.");
        _tags.Begin();
        SetState(SourceState.Online);
        _tagTimer = Every(_tags.Period, _tags.Tick);
        _plantTimer = Every(TimeSpan.FromSeconds(1), _plant!.Tick);
        if (_events is null)
            return;
        _events.Begin();
        _eventTimer = Every(_events.Period, _events.Tick);
    }

    public IReadOnlyList<SourceReport> Report() => [Volatile.Read(ref _report)];

    public SourceTrace? Trace(NodeHandle node) =>
        context.Nodes.Namespaces.TryGetIndex(NamespaceUri, out var index) &&
        context.Nodes.GetNodeId(node).NamespaceIndex == index
            ? new SourceTrace(Volatile.Read(ref _report))
            : null;

    /// <summary>Stops the changes; the nodes stay.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_tagTimer is not null)
            await _tagTimer.DisposeAsync().ConfigureAwait(false);
        if (_plantTimer is not null)
            await _plantTimer.DisposeAsync().ConfigureAwait(false);
        if (_eventTimer is not null)
            await _eventTimer.DisposeAsync().ConfigureAwait(false);
        SetState(SourceState.Stopped);
    }

    /// <summary>Nothing may leave a timer (R40): a fault becomes the driver's state, and the next tick goes on.
    /// </summary>
    private ITimer Every(TimeSpan period, Action tick) => context.Time.CreateTimer(
        _ =>
        {
#pragma warning disable CA1031 // It would end the process.
            try
            {
                tick();
            }
            catch (Exception error)
#pragma warning restore CA1031
            {
                Tell(error);
            }
        },
        null, period, period);

    private void Tell(Exception error) => Volatile.Write(
        ref _report, _report with { LastError = error.Message, LastErrorAt = context.Time.GetUtcNow() });

    private void SetState(SourceState state) =>
        Volatile.Write(ref _report, _report with { State = state, Since = context.Time.GetUtcNow() });

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
