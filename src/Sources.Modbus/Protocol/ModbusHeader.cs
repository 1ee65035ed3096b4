using System.Buffers.Binary;

namespace Gateway.Sources.Modbus.Protocol;

/// <summary>
/// The head of each message on TCP.
/// <code>
/// | transaction 2 | protocol 2: 0 | length 2 | unit 1 | function 1 | data … |
///                                             └───────── length ──────────┘
/// </code>
/// Source: Modbus TCP §3.1.3.
/// </summary>
/// <param name="Length">Of unit and PDU, in bytes.</param>
internal readonly record struct ModbusHeader(ushort Transaction, ushort Protocol, ushort Length)
{
    /// <summary>Up to the length.</summary>
    public const int Bytes = 6;

    /// <summary>Unit, function and one byte of data.</summary>
    public const int MinLength = 3;

    /// <summary>Unit and the longest PDU.</summary>
    public const int MaxLength = 254;

    public const int MaxFrameBytes = Bytes + MaxLength;

    public bool IsValid => Protocol == 0 && Length is >= MinLength and <= MaxLength;

    public static ModbusHeader Read(ReadOnlySpan<byte> bytes) => new(
        BinaryPrimitives.ReadUInt16BigEndian(bytes), BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]),
        BinaryPrimitives.ReadUInt16BigEndian(bytes[4..]));

    /// <returns>The bytes of the frame.</returns>
    public static int Write(ushort transaction, ModbusRequest request, Span<byte> frame)
    {
        BinaryPrimitives.WriteUInt16BigEndian(frame, transaction);
        BinaryPrimitives.WriteUInt16BigEndian(frame[2..], 0);
        BinaryPrimitives.WriteUInt16BigEndian(frame[4..], (ushort)(request.Pdu.Length + 1));
        frame[Bytes] = request.Unit;
        request.Pdu.CopyTo(frame[(Bytes + 1)..]);
        return Bytes + 1 + request.Pdu.Length;
    }
}
