using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>The variables of a machine and the nodes that describe them.</summary>
internal static class MachineNodes
{
    public const string State = "State";
    public const string SpeedSetpoint = "SpeedSetpoint";
    public const string Speed = "Speed";
    public const string MotorCurrent = "MotorCurrent";
    public const string Temperature = "Temperature";
    public const string AirPressure = "AirPressure";
    public const string Vibration = "Vibration";
    public const string GoodCount = "GoodCount";
    public const string RejectCount = "RejectCount";
    public const string Energy = "Energy";

    private const AccessLevelExType ReadWrite = AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite;

    public static IReadOnlyList<string> Names { get; } =
    [
        State, SpeedSetpoint, Speed, MotorCurrent, Temperature, AirPressure, Vibration, GoodCount, RejectCount, Energy,
    ];

    public static void Add(SimulatorNodes nodes, NodeId line, string name, Machine machine)
    {
        var parent = nodes.AddObject(machine.Identifier, name, line, $"The {name.ToLowerInvariant()} of this line");
        AddState(nodes, parent);
        var most = machine.NominalSpeed * 1.2;
        AddAnalog(
            nodes, parent, SpeedSetpoint, 0, most, EngineeringUnit.PiecesPerMinute, machine.NominalSpeed, ReadWrite);
        AddAnalog(nodes, parent, Speed, 0, most, EngineeringUnit.PiecesPerMinute);
        AddAnalog(nodes, parent, MotorCurrent, 0, 20, EngineeringUnit.Ampere);
        AddAnalog(nodes, parent, Temperature, 0, 120, EngineeringUnit.Celsius, 22);
        AddAnalog(nodes, parent, AirPressure, 0, 10, EngineeringUnit.Bar, 6.2);
        AddAnalog(nodes, parent, Vibration, 0, 10, EngineeringUnit.MillimetrePerSecond);
        AddAnalog(nodes, parent, Energy, 0, 1_000_000, EngineeringUnit.KilowattHour);
        AddCounter(nodes, parent, GoodCount, "Good pieces since the start");
        AddCounter(nodes, parent, RejectCount, "Rejected pieces since the start");
    }

    public static void AddAnalog(
        SimulatorNodes nodes,
        NodeId parent,
        string name,
        double low,
        double high,
        EUInformation unit,
        double first = 0,
        AccessLevelExType access = AccessLevelExType.CurrentRead)
    {
        var id = nodes.Id($"{parent.String}/{name}");
        var facts = new VariableFacts(new NodeId(StandardIds.DataTypes.Double), AccessLevel: access);
        nodes.AddVariable(id, name, parent, facts, new Variant(first), StandardIds.VariableTypes.AnalogItemType);
        nodes.AddProperty(
            id,
            "EURange",
            StandardIds.DataTypes.Range,
            Variant.FromStructure(new Codec.Structures.Range { Low = low, High = high }));
        nodes.AddProperty(id, "EngineeringUnits", StandardIds.DataTypes.EUInformation, Variant.FromStructure(unit));
    }

    private static void AddState(SimulatorNodes nodes, NodeId parent)
    {
        var id = nodes.Id($"{parent.String}/{State}");
        nodes.AddVariable(
            id,
            State,
            parent,
            new VariableFacts(new NodeId(StandardIds.DataTypes.UInt32)),
            new Variant((uint)MachineState.Stopped),
            StandardIds.VariableTypes.MultiStateDiscreteType);
        var names = Array.ConvertAll(Enum.GetNames<MachineState>(), static name => new LocalizedText(name, "en"));
        nodes.AddProperty(
            id,
            "EnumStrings",
            StandardIds.DataTypes.LocalizedText,
            Variant.FromArray(BuiltInType.LocalizedText, names));
    }

    private static void AddCounter(SimulatorNodes nodes, NodeId parent, string name, string description) =>
        nodes.AddVariable(
            nodes.Id($"{parent.String}/{name}"),
            name,
            parent,
            new VariableFacts(new NodeId(StandardIds.DataTypes.UInt32)),
            new Variant(0u),
            StandardIds.VariableTypes.DataItemType,
            description);
}
