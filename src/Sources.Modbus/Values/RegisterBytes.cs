using Gateway.Sources.Modbus.Options;

namespace Gateway.Sources.Modbus.Values;

/// <summary>The bytes of registers in the order that a tag's device uses, and in that of the standard.</summary>
internal static class RegisterBytes
{
    /// <summary>From one order to the other, in place; the same way back. The order of registers means nothing for a
    /// string: its characters follow one another.</summary>
    public static void Reorder(ModbusTag tag, Span<byte> registers)
    {
        if (tag.ByteOrder == ModbusOrder.Little)
        {
            for (var i = 0; i + 1 < registers.Length; i += 2)
                (registers[i], registers[i + 1]) = (registers[i + 1], registers[i]);
        }

        if (tag.WordOrder == ModbusOrder.Big || tag.Type == ModbusType.String)
            return;
        for (int first = 0, last = registers.Length - 2; first < last; first += 2, last -= 2)
        {
            (registers[first], registers[last]) = (registers[last], registers[first]);
            (registers[first + 1], registers[last + 1]) = (registers[last + 1], registers[first + 1]);
        }
    }
}
