using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>
/// One machine, a second at a time: its speed follows the setpoint through a ramp, the motor's current the speed, the
/// temperature the current slowly; it makes pieces at its speed and rejects a few; now and then it is blocked or
/// faults, and starts again. Owner: the plant's tick.
/// </summary>
internal sealed class Machine(string identifier, double nominalSpeed, double rejectShare, Random random)
{
    private const double AmbientCelsius = 22;
    private const double SecondsToNominalSpeed = 12;

    private readonly Dictionary<string, NodeHandle> _nodes = [];
    private MachineState _state = MachineState.Stopped;
    private int _secondsInState;
    private int _secondsToStay = 3;
    private double _speed;
    private double _temperature = AmbientCelsius;
    private double _pieces;
    private double _rejects;
    private double _energy;

    public string Identifier { get; } = identifier;

    public double NominalSpeed { get; } = nominalSpeed;

    public uint GoodCount => (uint)(long)(_pieces - _rejects);

    public double Speed => _speed;

    public void Bind(NodeTable nodes, ushort namespaceIndex)
    {
        foreach (var name in MachineNodes.Names)
            _nodes[name] = nodes.Find(new NodeId($"{Identifier}/{name}", namespaceIndex));
    }

    public void Tick(ValueStore values, ValueBatch batch, DateTime now)
    {
        MoveState();
        var setpoint = values.Read(_nodes[MachineNodes.SpeedSetpoint]).Value.AsDouble();
        setpoint = double.IsNaN(setpoint) ? NominalSpeed : Math.Clamp(setpoint, 0, NominalSpeed * 1.2);
        var target = _state is MachineState.Starting or MachineState.Running ? setpoint : 0;
        var step = NominalSpeed / SecondsToNominalSpeed;
        _speed += Math.Clamp(target - _speed, -3 * step, step);
        var load = _speed / NominalSpeed;
        var current = load > 0.01 ? 4 + 9 * load + Noise(0.2) : 0;
        _temperature += (AmbientCelsius + 3.2 * current - _temperature) / 90 + Noise(0.03);
        var made = _speed / 60;
        _pieces += made;
        _rejects += made * rejectShare * (_state == MachineState.Running ? 1 : 3);
        _energy += current * 0.4 * 1.73 / 3600;
        Write(batch, now, current, load);
    }

    private void Write(ValueBatch batch, DateTime now, double current, double load)
    {
        Set(MachineNodes.State, new Variant((uint)_state));
        Set(MachineNodes.Speed, new Variant(load > 0 ? _speed + Noise(0.3) : 0.0));
        Set(MachineNodes.MotorCurrent, new Variant(current));
        Set(MachineNodes.Temperature, new Variant(_temperature));
        Set(MachineNodes.AirPressure, new Variant(6.2 - 0.4 * load + Noise(0.04)));
        Set(MachineNodes.Vibration, new Variant(load > 0 ? 0.6 + 1.8 * load + Math.Abs(Noise(0.15)) : 0.0));
        Set(MachineNodes.GoodCount, new Variant(GoodCount));
        Set(MachineNodes.RejectCount, new Variant((uint)_rejects));
        Set(MachineNodes.Energy, new Variant(_energy));

        void Set(string name, Variant value) =>
            batch.Set(_nodes[name], new DataValue(value, StatusCode.Good, now, now));
    }

    private void MoveState()
    {
        if (++_secondsInState < _secondsToStay)
            return;
        _secondsInState = 0;
        var chance = random.NextDouble();
        (_state, _secondsToStay) = _state switch
        {
            MachineState.Stopped or MachineState.Fault => (MachineState.Starting, (int)SecondsToNominalSpeed),
            MachineState.Starting or MachineState.Blocked => (MachineState.Running, random.Next(120, 900)),
            _ when chance < 0.7 => (MachineState.Blocked, random.Next(5, 40)),
            _ when chance < 0.9 => (MachineState.Fault, random.Next(20, 90)),
            _ => (MachineState.Stopped, random.Next(20, 120)),
        };
    }

    private double Noise(double width) => (random.NextDouble() - 0.5) * 2 * width;
}
