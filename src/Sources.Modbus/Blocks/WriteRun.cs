using Gateway.Sources.Modbus.Options;
using Gateway.Sources.Modbus.Protocol;

namespace Gateway.Sources.Modbus.Blocks;

/// <summary>Writes of tags that lie side by side, in the order of a client: one request.</summary>
internal sealed class WriteRun
{
    /// <summary>Of one request. Source: Modbus §6.11.</summary>
    private const int MaxCoils = 1968;

    private readonly List<byte> _registers = [];
    private readonly List<bool> _coils = [];

    public List<(ServedTag Tag, int Place)> Tags { get; } = [];

    private ModbusTag First => Tags[0].Tag.Tag;

    private int Count => First.IsOfBits ? _coils.Count : _registers.Count / 2;

    /// <summary>False: it is not next to the last one, or there is no room.</summary>
    public bool TryAdd(ServedTag tag, int place, bool coil, ReadOnlySpan<byte> registers)
    {
        var most = tag.Tag.IsOfBits ? MaxCoils : ModbusTag.MaxWritten;
        if (Tags.Count > 0 && (tag.Tag.UnitId != First.UnitId || tag.Tag.Table != First.Table ||
            tag.Tag.Address != First.Address + Count || Count + tag.Tag.Count > most))
            return false;
        Tags.Add((tag, place));
        if (tag.Tag.IsOfBits)
            _coils.Add(coil);
        else
            _registers.AddRange(registers);
        return true;
    }

    /// <summary>The short form for one coil or register.</summary>
    public ModbusRequest Request => Count > 1 ? RequestForSeveral
        : First.IsOfBits ? ModbusRequest.WriteCoil((byte)First.UnitId, First.Address, _coils[0])
        : ModbusRequest.WriteRegister((byte)First.UnitId, First.Address, _registers.ToArray());

    /// <summary>Some devices know only this form.</summary>
    public ModbusRequest RequestForSeveral => First.IsOfBits
        ? ModbusRequest.WriteCoils((byte)First.UnitId, First.Address, _coils)
        : ModbusRequest.WriteRegisters((byte)First.UnitId, First.Address, _registers.ToArray());
}
