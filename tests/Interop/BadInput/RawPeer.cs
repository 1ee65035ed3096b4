using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Testing;

namespace Gateway.Interop.BadInput;

/// <summary>A socket that sends what it is told and reads whole frames until the other side closes.</summary>
internal sealed class RawPeer : IDisposable
{

    private readonly Socket socket;

    /// <summary>Owned from here on.</summary>
    public RawPeer(Socket connected)
    {
        socket = connected;
        socket.NoDelay = true;
    }

    public static Task<RawPeer> ConnectAsync(int port) => ConnectAsync(port, IPAddress.Loopback);

    /// <param name="port">Of the gateway.</param>
    /// <param name="from">The address that the gateway sees.</param>
    public static async Task<RawPeer> ConnectAsync(int port, IPAddress from)
    {
        RawPeer peer = new(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        try
        {
            peer.socket.Bind(new IPEndPoint(from, 0));
            await peer.socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port));
            return peer;
        }
        catch
        {
            peer.Dispose();
            throw;
        }
    }

    /// <summary>HEL and OPN without security; the channel's and the token's id.</summary>
    public async Task<(uint ChannelId, uint TokenId)> OpenAsync(string endpointUrl)
    {
        await SendAsync(Uacp.Hello(endpointUrl));
        Assert.Equal("ACKF", Type(await ReceiveAsync()));
        await SendAsync(Uacp.Open());
        byte[] opened = (await ReceiveAsync())!;
        Assert.Equal("OPNF", Type(opened));
        // The response ends with channel id, token id, created at, lifetime and a null nonce.
        ReadOnlySpan<byte> token = opened.AsSpan(opened.Length - 24 - NonceBytes(opened));
        return (BinaryPrimitives.ReadUInt32LittleEndian(token), BinaryPrimitives.ReadUInt32LittleEndian(token[4..]));
    }

    public async Task SendAsync(byte[] bytes) => await socket.SendAsync(bytes);

    /// <summary>One frame, or null once the other side has closed.</summary>
    public async Task<byte[]?> ReceiveAsync()
    {
        byte[] header = new byte[8];
        if (!await FillAsync(header))
            return null;
        byte[] frame = new byte[BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(4))];
        header.CopyTo(frame, 0);
        return await FillAsync(frame.AsMemory(8)) ? frame : null;
    }

    /// <summary>Fails when the other side has not closed within the patience; what it sends before is passed over.
    /// </summary>
    public async Task AssertEndedAsync()
    {
        byte[] rest = new byte[1024];
        while (await FillAsync(rest.AsMemory(0, 1)))
        {
            // An answer, an ERR: whatever comes before the end.
        }
    }

    public void FinishSending() => socket.Shutdown(SocketShutdown.Send);

    /// <summary>As a process that is killed: the other side gets a reset.</summary>
    public void Reset()
    {
        socket.LingerState = new LingerOption(true, 0);
        socket.Dispose();
    }

    public void Dispose() => socket.Dispose();

    public static string? Type(byte[]? frame) => frame is null ? null : Encoding.ASCII.GetString(frame, 0, 4);

    /// <summary>The StatusCode of an ERR.</summary>
    public static uint ErrorOf(byte[] frame) => BinaryPrimitives.ReadUInt32LittleEndian(frame.AsSpan(8));

    /// <summary>The reason text of an ERR.</summary>
    public static string ReasonOf(byte[] frame)
    {
        int length = BinaryPrimitives.ReadInt32LittleEndian(frame.AsSpan(12));
        return length > 0 ? Encoding.UTF8.GetString(frame, 16, length) : "";
    }

    private static int NonceBytes(byte[] opened) =>
        BinaryPrimitives.ReadInt32LittleEndian(opened.AsSpan(opened.Length - 4)) is -1 or 0 ? 0 : 32;

    private async Task<bool> FillAsync(Memory<byte> into)
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        try
        {
            while (into.Length > 0)
            {
                int read = await socket.ReceiveAsync(into, patience.Token);
                if (read == 0)
                    return false;
                into = into[read..];
            }

            return true;
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.ConnectionReset)
        {
            return false;
        }
    }
}
