using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>Add, Echo, Wait and SetAlarms: the calls that clients and load tests try. Wait holds a timer and no
/// thread.</summary>
internal sealed class SimulatorMethods : IMethodSource
{
    private static readonly TimeSpan LongestWait = TimeSpan.FromHours(1);

    private readonly TimeProvider _time;
    private readonly ushort _namespaceIndex;
    private readonly NodeTable _nodes;

    private readonly AlarmSwitch? _alarms;

    private SimulatorMethods(NodeTable nodes, ushort namespaceIndex, TimeProvider time, AlarmSwitch? alarms)
    {
        _nodes = nodes;
        _namespaceIndex = namespaceIndex;
        _time = time;
        _alarms = alarms;
    }

    /// <param name="builder">Gets the nodes.</param>
    /// <param name="nodes">The address space.</param>
    /// <param name="root">Of the plant.</param>
    /// <param name="time">For Wait.</param>
    /// <param name="alarms">Null: there is no SetAlarms.</param>
    public static void Add(
        SimulatorNodes builder, NodeTable nodes, NodeId root, TimeProvider time, AlarmSwitch? alarms)
    {
        var source = new SimulatorMethods(nodes, builder.NamespaceIndex, time, alarms);
        var parent = builder.AddObject("Methods", "Methods", root, "Methods to be called by clients", component: false);
        builder.AddMethod(
            "Add",
            parent,
            source,
            "The sum of two numbers",
            [Argument("A", StandardIds.DataTypes.Int32), Argument("B", StandardIds.DataTypes.Int32)],
            [Argument("Sum", StandardIds.DataTypes.Int32)]);
        builder.AddMethod(
            "Echo",
            parent,
            source,
            "What was said",
            [Argument("Text", StandardIds.DataTypes.String)],
            [Argument("Text", StandardIds.DataTypes.String)]);
        builder.AddMethod(
            "Wait",
            parent,
            source,
            "Answers after the given time, at most an hour",
            [Argument("Duration", StandardIds.DataTypes.Duration)],
            []);
        if (alarms is not null)
            builder.AddMethod(
                "SetAlarms",
                parent,
                source,
                "So many of the plant's alarms are active, the others are over",
                [Argument("Count", StandardIds.DataTypes.UInt32)],
                []);
    }

    /// <summary>Errors: Bad_OutOfRange (a sum past Int32, a time past an hour, more alarms than there are),
    /// Bad_InvalidArgument (no time), Bad_MethodInvalid.</summary>
    public ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct)
    {
        var id = _nodes.GetNodeId(method);
        return (id.NamespaceIndex == _namespaceIndex ? id.String : null) switch
        {
            "Add" => ValueTask.FromResult(Add(inputs[0].AsInt64() + inputs[1].AsInt64())),
            "Echo" => ValueTask.FromResult(Good(inputs[0])),
            "Wait" => WaitAsync(inputs[0].AsDouble(), ct),
            "SetAlarms" when _alarms is { } alarms => SetAlarmsAsync(alarms, inputs[0].AsUInt32()),
            _ => ValueTask.FromResult(Bad(StatusCodes.BadMethodInvalid)),
        };
    }

    private static CallMethodResult Add(long sum) =>
        sum is < int.MinValue or > int.MaxValue ? Bad(StatusCodes.BadOutOfRange) : Good(new Variant((int)sum));

    private async ValueTask<CallMethodResult> WaitAsync(double milliseconds, CancellationToken ct)
    {
        if (double.IsNaN(milliseconds) || milliseconds < 0)
            return Bad(StatusCodes.BadInvalidArgument);
        if (milliseconds > LongestWait.TotalMilliseconds)
            return Bad(StatusCodes.BadOutOfRange);
        await Task.Delay(TimeSpan.FromMilliseconds(milliseconds), _time, ct).ConfigureAwait(false);
        return Good();
    }

    /// <summary>Ten thousand take their time: not on the caller's thread.</summary>
    private static async ValueTask<CallMethodResult> SetAlarmsAsync(AlarmSwitch alarms, uint count) =>
        await Task.Run(() => alarms.TrySet(count)).ConfigureAwait(false) ? Good() : Bad(StatusCodes.BadOutOfRange);

    private static CallMethodResult Good(params Variant[] outputs) => new() { OutputArguments = outputs };

    private static CallMethodResult Bad(StatusCode status) => new() { StatusCode = status };

    private static Argument Argument(string name, uint dataType) =>
        new() { Name = name, DataType = new NodeId(dataType), ValueRank = -1 };
}
