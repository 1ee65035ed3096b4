using System.Buffers.Binary;

namespace Gateway.Sources.Modbus.Protocol;

/// <summary>
/// One request to a unit.
/// <code>
/// read            | function | address 2 | count 2 |
/// write one       | function | address 2 | value 2 |
/// write several   | function | address 2 | count 2 | bytes 1 | values |
/// </code>
/// All numbers are big-endian. Source: Modbus §6.
/// </summary>
/// <param name="Unit">Behind the address: a gateway to serial lines has several.</param>
/// <param name="Pdu">Function code and data.</param>
internal readonly record struct ModbusRequest(byte Unit, byte[] Pdu)
{
    private const int HeadBytes = 5;

    public const ushort CoilOn = 0xFF00;

    public ModbusFunction Function => (ModbusFunction)Pdu[0];

    private bool IsRead => Function <= ModbusFunction.ReadInputRegisters;

    private bool IsOfBits => Function <= ModbusFunction.ReadDiscreteInputs;

    /// <param name="count">Registers or bits.</param>
    public static ModbusRequest Read(byte unit, ModbusFunction function, int address, int count) =>
        new(unit, Head(function, address, count, 0));

    public static ModbusRequest WriteCoil(byte unit, int address, bool value) =>
        new(unit, Head(ModbusFunction.WriteSingleCoil, address, value ? CoilOn : 0, 0));

    /// <param name="register">Two bytes as they go over the line.</param>
    public static ModbusRequest WriteRegister(byte unit, int address, ReadOnlySpan<byte> register) => new(
        unit, Head(ModbusFunction.WriteSingleRegister, address, BinaryPrimitives.ReadUInt16BigEndian(register), 0));

    public static ModbusRequest WriteCoils(byte unit, int address, IReadOnlyList<bool> values)
    {
        var bytes = (values.Count + 7) / 8;
        var pdu = Head(ModbusFunction.WriteMultipleCoils, address, values.Count, bytes);
        for (var i = 0; i < values.Count; i++)
        {
            if (values[i])
                pdu[HeadBytes + 1 + (i / 8)] |= (byte)(1 << (i % 8));
        }

        return new(unit, pdu);
    }

    /// <param name="registers">As they go over the line.</param>
    public static ModbusRequest WriteRegisters(byte unit, int address, ReadOnlySpan<byte> registers)
    {
        var pdu = Head(ModbusFunction.WriteMultipleRegisters, address, registers.Length / 2, registers.Length);
        registers.CopyTo(pdu.AsSpan(HeadBytes + 1));
        return new(unit, pdu);
    }

    /// <summary>Whether an answer with the same function code has the form that this request asks for. A write is
    /// answered with its head.</summary>
    public bool IsAnsweredBy(ReadOnlySpan<byte> pdu)
    {
        if (!IsRead)
            return pdu.SequenceEqual(Pdu.AsSpan(0, HeadBytes));
        var count = BinaryPrimitives.ReadUInt16BigEndian(Pdu.AsSpan(3));
        var bytes = IsOfBits ? (count + 7) / 8 : count * 2;
        return pdu.Length == bytes + 2 && pdu[1] == bytes;
    }

    private static byte[] Head(ModbusFunction function, int address, int number, int valueBytes)
    {
        var pdu = new byte[HeadBytes + (valueBytes == 0 ? 0 : valueBytes + 1)];
        pdu[0] = (byte)function;
        BinaryPrimitives.WriteUInt16BigEndian(pdu.AsSpan(1), (ushort)address);
        BinaryPrimitives.WriteUInt16BigEndian(pdu.AsSpan(3), (ushort)number);
        if (valueBytes > 0)
            pdu[HeadBytes] = (byte)valueBytes;
        return pdu;
    }
}
