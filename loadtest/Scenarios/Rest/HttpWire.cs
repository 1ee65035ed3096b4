using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>One HTTP/1.1 connection with one request under way: bytes that were made before go out, and the answer is
/// looked at where it lies. A client library would cost as much as the server that is measured. Owner: one task.
/// </summary>
internal sealed class HttpWire : IDisposable
{
    private const int FirstBytes = 4096;
    private const int StatusAt = 9;
    private const int StatusLength = 3;

    private readonly Socket _socket;
    private byte[] _answer = new byte[FirstBytes];
    private int _length;
    private int _bodyAt;
    private bool _isChunked;

    private HttpWire(Socket socket) => _socket = socket;

    /// <summary>Of the last answer.</summary>
    public int Status { get; private set; }

    /// <summary>The server has ended the connection while nothing was under way.</summary>
    public bool IsEnded => _socket.Poll(TimeSpan.Zero, SelectMode.SelectRead);

    /// <summary>As it came: where the server sends it in chunks, with their lines.</summary>
    public ReadOnlySpan<byte> RawBody => _answer.AsSpan(_bodyAt, _length - _bodyAt);

    /// <summary>Errors: SocketException.</summary>
    /// <param name="server">Its HTTP listener.</param>
    /// <param name="from">Null: as the system chooses.</param>
    /// <param name="cancellation">Ends the connecting.</param>
    public static async Task<HttpWire> ConnectAsync(
        IPEndPoint server, IPAddress? from, CancellationToken cancellation)
    {
        var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            if (from is not null)
                socket.Bind(new IPEndPoint(from, 0));
            await socket.ConnectAsync(server, cancellation);
            return new HttpWire(socket);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Errors: SocketException; IOException where the server ends the connection or answers something that is
    /// no HTTP.</summary>
    public async ValueTask AskAsync(
        ReadOnlyMemory<byte> request, CancellationToken cancellation = default)
    {
        for (var sent = 0; sent < request.Length;)
            sent += await _socket.SendAsync(request[sent..], SocketFlags.None, cancellation);
        (_length, _bodyAt) = (0, 0);
        for (var end = -1; end < 0 || _length < end;)
        {
            if (_length == _answer.Length)
                Array.Resize(ref _answer, 2 * _answer.Length);
            var count = await _socket.ReceiveAsync(_answer.AsMemory(_length), SocketFlags.None, cancellation);
            if (count == 0)
                throw new IOException("the server ended the connection in the middle of an answer");
            _length += count;
            end = EndOfAnswer();
        }
    }

    /// <summary>A copy, without the lines of chunks.</summary>
    public byte[] ReadBody()
    {
        if (!_isChunked)
            return RawBody.ToArray();
        var whole = new List<byte>(_length);
        for (var rest = RawBody; ;)
        {
            var line = rest.IndexOf("\r\n"u8);
            var size = int.Parse(rest[..line], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
            if (size == 0)
                return [.. whole];
            whole.AddRange(rest.Slice(line + 2, size));
            rest = rest[(line + 2 + size + 2)..];
        }
    }

    public void Dispose() => _socket.Dispose();

    /// <summary>-1: not known yet, more has to come.</summary>
    private int EndOfAnswer()
    {
        var all = _answer.AsSpan(0, _length);
        if (_bodyAt == 0)
        {
            var head = all.IndexOf("\r\n\r\n"u8);
            if (head < 0)
                return -1;
            _bodyAt = head + 4;
            Status = int.Parse(all.Slice(StatusAt, StatusLength), CultureInfo.InvariantCulture);
            _isChunked = all[.._bodyAt].IndexOf("Transfer-Encoding: chunked"u8) >= 0;
        }

        // The next answer comes after the next request alone, so nothing is behind the last chunk.
        if (_isChunked)
            return RawBody.StartsWith("0\r\n\r\n"u8) || RawBody.EndsWith("\r\n0\r\n\r\n"u8) ? _length : -1;
        var name = all[.._bodyAt].IndexOf("Content-Length: "u8);
        if (name < 0)
            throw new IOException($"an answer without a length: {Status}");
        var value = all[(name + "Content-Length: ".Length).._bodyAt];
        return _bodyAt + int.Parse(value[..value.IndexOf((byte)'\r')], CultureInfo.InvariantCulture);
    }
}
