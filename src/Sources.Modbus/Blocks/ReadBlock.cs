using Gateway.Sources.Modbus.Options;
using Gateway.Sources.Modbus.Protocol;

namespace Gateway.Sources.Modbus.Blocks;

/// <summary>Tags of one unit and table that one request reads.</summary>
/// <param name="Tags">By address; one may be there twice.</param>
/// <param name="Places">Of each one's result.</param>
/// <param name="Count">Registers or bits from the first one's address on.</param>
internal sealed record ReadBlock(IReadOnlyList<ServedTag> Tags, IReadOnlyList<int> Places, int Count)
{
    public int Address => Tags[0].Tag.Address;

    public ModbusRequest Request => ModbusRequest.Read((byte)Tags[0].Tag.UnitId, Function, Address, Count);

    private ModbusFunction Function => Tags[0].Tag.Table switch
    {
        ModbusTable.Coil => ModbusFunction.ReadCoils,
        ModbusTable.Discrete => ModbusFunction.ReadDiscreteInputs,
        ModbusTable.Input => ModbusFunction.ReadInputRegisters,
        _ => ModbusFunction.ReadHoldingRegisters,
    };

    /// <summary>The tags from one place up to another.</summary>
    public ReadBlock Part(int start, int end)
    {
        var tags = Tags.Skip(start).Take(end - start).ToArray();
        return new(
            tags, [.. Places.Skip(start).Take(end - start)],
            tags.Max(static one => one.Tag.Address + one.Tag.Count) - tags[0].Tag.Address);
    }
}
