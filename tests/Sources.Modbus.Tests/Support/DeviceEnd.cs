using System.Buffers.Binary;

namespace Gateway.Sources.Modbus.Tests.Support;

/// <summary>The device's end of a connection, which a test plays itself.</summary>
internal sealed class DeviceEnd(Stream stream)
{
    /// <summary>Of the last request.</summary>
    public ushort Transaction { get; private set; }

    public byte Unit { get; private set; }

    /// <summary>Null: the gateway closed the connection.</summary>
    public async Task<byte[]?> ReceiveAsync()
    {
        var header = new byte[7];
        if (await stream.ReadAtLeastAsync(header, header.Length, throwOnEndOfStream: false) < header.Length)
            return null;
        Transaction = BinaryPrimitives.ReadUInt16BigEndian(header);
        Unit = header[6];
        var pdu = new byte[BinaryPrimitives.ReadUInt16BigEndian(header.AsSpan(4)) - 1];
        await stream.ReadExactlyAsync(pdu);
        return pdu;
    }

    public ValueTask AnswerAsync(params byte[] pdu) => SendAsync(Frame(Transaction, Unit, pdu));

    public ValueTask SendAsync(params byte[] bytes) => stream.WriteAsync(bytes);

    public ValueTask CloseAsync() => stream.DisposeAsync();

    public static byte[] Frame(ushort transaction, byte unit, params byte[] pdu) =>
    [
        (byte)(transaction >> 8), (byte)transaction, 0, 0, (byte)((pdu.Length + 1) >> 8), (byte)(pdu.Length + 1), unit,
        .. pdu,
    ];
}
