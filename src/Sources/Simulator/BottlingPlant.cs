using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>A bottling plant of three lines with four machines each, moved once a second. Values repeat from start to
/// start: the machines' chance is seeded.</summary>
internal sealed class BottlingPlant
{
    private const string Availability = "Availability";
    private const string Output = "Output";

    private static readonly string[] MachineNames = ["Filler", "Capper", "Labeler", "Packer"];

    private readonly List<(string Line, Machine[] Machines)> _lines = [];
    private readonly Lock _lock = new();
    private readonly ushort _namespaceIndex;
    private NodeHandle[] _availability = [];
    private NodeHandle[] _output = [];
    private ValueStore? _values;
    private TimeProvider? _time;

    private BottlingPlant(ushort namespaceIndex) => _namespaceIndex = namespaceIndex;

    public static BottlingPlant Add(SimulatorNodes nodes, NodeId parent)
    {
        var plant = new BottlingPlant(nodes.NamespaceIndex);
        var root = nodes.AddObject("Plant", "Plant", parent, "A simulated bottling plant", component: false);
        for (var number = 1; number <= 3; number++)
            plant.AddLine(nodes, root, number);
        return plant;
    }

    /// <summary>Finds the nodes once they are in the table.</summary>
    public void Bind(NodeTable nodes, ValueStore values, TimeProvider time)
    {
        _values = values;
        _time = time;
        _availability = [.. _lines.Select(l => nodes.Find(new NodeId($"{l.Line}/{Availability}", _namespaceIndex)))];
        _output = [.. _lines.Select(l => nodes.Find(new NodeId($"{l.Line}/{Output}", _namespaceIndex)))];
        foreach (var (_, machines) in _lines)
        {
            foreach (var machine in machines)
                machine.Bind(nodes, _namespaceIndex);
        }
    }

    /// <summary>A tick that comes while the last one still works is left out.</summary>
    public void Tick()
    {
        if (!_lock.TryEnter())
            return;
        try
        {
            TickUnderLock();
        }
        finally
        {
            _lock.Exit();
        }
    }

    private void TickUnderLock()
    {
        var now = _time!.GetUtcNow().UtcDateTime;
        var batch = _values!.BeginBatch();
        for (var i = 0; i < _lines.Count; i++)
        {
            var share = 0.0;
            foreach (var machine in _lines[i].Machines)
            {
                machine.Tick(_values, batch, now);
                share += Math.Min(1, machine.Speed / machine.NominalSpeed);
            }

            var machines = _lines[i].Machines;
            Set(batch, _availability[i], new Variant(100 * share / machines.Length), now);
            Set(batch, _output[i], new Variant(machines[^1].GoodCount), now);
        }

        batch.Commit();
    }

    private static void Set(ValueBatch batch, NodeHandle node, Variant value, DateTime now) =>
        batch.Set(node, new DataValue(value, StatusCode.Good, now, now));

    private void AddLine(SimulatorNodes nodes, NodeId root, int number)
    {
        var line = $"Plant/Line{number}";
        var parent = nodes.AddObject(line, $"Line{number}", root, $"Line {number}");
        var nominal = 180 + 60 * number;
        var machines = new Machine[MachineNames.Length];
        for (var i = 0; i < machines.Length; i++)
        {
            var random = new Random(number * 100 + i);
            machines[i] = new Machine($"{line}/{MachineNames[i]}", nominal, 0.002 + 0.001 * i, random);
            MachineNodes.Add(nodes, parent, MachineNames[i], machines[i]);
        }

        MachineNodes.AddAnalog(nodes, parent, Availability, 0, 100, EngineeringUnit.Percent);
        nodes.AddVariable(
            nodes.Id($"{line}/{Output}"),
            Output,
            parent,
            new VariableFacts(new NodeId(StandardIds.DataTypes.UInt32)),
            new Variant(0u),
            StandardIds.VariableTypes.DataItemType,
            "Good pieces that left the line since the start");
        _lines.Add((line, machines));
    }
}
