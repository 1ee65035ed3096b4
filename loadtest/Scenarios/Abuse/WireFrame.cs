using System.Buffers.Binary;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Gateway.Codec.Types;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>One message of a socket, whole: type 3, chunk type 1, size 4, body.</summary>
/// <param name="Bytes">With the header; empty: the peer closed.</param>
internal readonly record struct WireFrame(byte[] Bytes)
{
    private const int HeaderBytes = 8;
    private const int MaxBytes = 1024 * 1024;

    public bool IsEnd => Bytes.Length == 0;

    /// <summary>The last chunk of its message.</summary>
    public bool IsFinal => Bytes.Length > 3 && Bytes[3] == (byte)'F';

    /// <summary>HEL, ACK, OPN, MSG, ERR; empty at the end.</summary>
    public string Type => IsEnd ? string.Empty : Encoding.ASCII.GetString(Bytes, 0, 3);

    /// <summary>The text of an ERR, hints left out; of an end that it was one.</summary>
    public string Refusal()
    {
        if (IsEnd)
            return "(closed)";
        if (Type != "ERR" || Bytes.Length < HeaderBytes + sizeof(uint))
            return Type;
        var status = new StatusCode(BinaryPrimitives.ReadUInt32LittleEndian(Bytes.AsSpan(HeaderBytes)));
        var reason = Bytes.Length > 16 ? Encoding.UTF8.GetString(Bytes.AsSpan(16)) : string.Empty;
        return ConnectAttempt.Plain(string.Create(CultureInfo.InvariantCulture, $"{status} {reason}")).Trim();
    }

    /// <summary>Errors: SocketException, InvalidDataException.</summary>
    public static async Task<WireFrame> ReadAsync(Socket socket, CancellationToken cancellation)
    {
        var header = new byte[HeaderBytes];
        if (!await FillAsync(socket, header, cancellation))
            return new WireFrame([]);
        var size = BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(4));
        if (size is < HeaderBytes or > MaxBytes)
            throw new InvalidDataException($"a frame of {size} bytes");
        var frame = new byte[size];
        header.CopyTo(frame, 0);
        return await FillAsync(socket, frame.AsMemory(HeaderBytes), cancellation)
            ? new WireFrame(frame)
            : new WireFrame([]);
    }

    public static async Task SendAsync(Socket socket, ReadOnlyMemory<byte> bytes, CancellationToken cancellation)
    {
        while (bytes.Length > 0)
            bytes = bytes[await socket.SendAsync(bytes, cancellation)..];
    }

    private static async Task<bool> FillAsync(Socket socket, Memory<byte> into, CancellationToken cancellation)
    {
        while (into.Length > 0)
        {
            var count = await socket.ReceiveAsync(into, cancellation);
            if (count == 0)
                return false;
            into = into[count..];
        }

        return true;
    }
}
