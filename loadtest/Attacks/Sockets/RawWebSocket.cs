using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Sockets;

/// <summary>A WebSocket whose frames are what the attacker makes of them. Owner: one task.</summary>
internal sealed class RawWebSocket : IDisposable
{
    private const byte Masked = 0x80;
    private const byte LengthOf16Bits = 126;
    private const byte LengthOf64Bits = 127;
    private const int MaskBytes = 4;

    private readonly Socket _socket;

    private RawWebSocket(Socket socket) => _socket = socket;

    /// <summary>Errors: SocketException; IOException where it is refused.</summary>
    /// <param name="target">The gateway's HTTP listener.</param>
    /// <param name="address">The number of the attacker's address.</param>
    /// <param name="receiveBytes">The kernel's buffer; 0: as usual.</param>
    /// <param name="cancellation">Ends the opening.</param>
    public static async Task<RawWebSocket> OpenAsync(
        WireTarget target, int address, int receiveBytes, CancellationToken cancellation)
    {
        var socket = await target.ConnectAsync(address, cancellation);
        try
        {
            if (receiveBytes > 0)
                socket.ReceiveBufferSize = receiveBytes;
            await socket.SendAsync(Encoding.ASCII.GetBytes(
                "GET /api/v1/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"), cancellation);
            var answer = new byte[1024];
            var length = 0;
            while (answer.AsSpan(0, length).IndexOf("\r\n\r\n"u8) < 0)
            {
                var count = await socket.ReceiveAsync(answer.AsMemory(length, 1), cancellation);
                if (count == 0 || (length += count) == answer.Length)
                    throw new IOException("the gateway opens no WebSocket");
            }

            if (answer.AsSpan(0, length).IndexOf(" 101 "u8) < 0)
                throw new IOException(Encoding.ASCII.GetString(answer, 0, length).Split('\r')[0]);
            return new RawWebSocket(socket);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>One frame, whose mask is 0.</summary>
    /// <param name="opcode">With the bit FIN.</param>
    /// <param name="payload">What is there of it.</param>
    /// <param name="declared">The length that the frame says; -1: that of the payload.</param>
    /// <param name="isMasked">As a client's has to be.</param>
    public static byte[] Frame(
        byte opcode, ReadOnlySpan<byte> payload, long declared = -1, bool isMasked = true)
    {
        var length = declared < 0 ? payload.Length : declared;
        var mask = isMasked ? Masked : (byte)0;
        Span<byte> head = stackalloc byte[2 + sizeof(ulong)];
        head[0] = opcode;
        var used = 2;
        if (length < LengthOf16Bits)
        {
            head[1] = (byte)(mask | (byte)length);
        }
        else if (length <= ushort.MaxValue)
        {
            head[1] = (byte)(mask | LengthOf16Bits);
            BinaryPrimitives.WriteUInt16BigEndian(head[2..], (ushort)length);
            used += sizeof(ushort);
        }
        else
        {
            head[1] = (byte)(mask | LengthOf64Bits);
            BinaryPrimitives.WriteInt64BigEndian(head[2..], length);
            used += sizeof(ulong);
        }

        return [.. head[..used], .. new byte[isMasked ? MaskBytes : 0], .. payload];
    }

    /// <summary>Errors: SocketException.</summary>
    public async Task SendAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellation)
    {
        for (var sent = 0; sent < bytes.Length;)
            sent += await _socket.SendAsync(bytes[sent..], SocketFlags.None, cancellation);
    }

    /// <summary>Takes what comes until the gateway ends it. Errors: SocketException.</summary>
    public async Task AwaitEndAsync(CancellationToken cancellation)
    {
        var bytes = new byte[16 * 1024];
        while (await _socket.ReceiveAsync(bytes, cancellation) > 0)
        {
            // Nobody looks at it.
        }
    }

    public void Dispose() => _socket.Dispose();
}
