using System.Net.WebSockets;
using System.Text;
using BenchmarkDotNet.Attributes;
using Gateway.Microbenchmarks.Tables;
using Gateway.Rest;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Sockets;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Microbenchmarks.Rest;

/// <summary>A message of <c>/api/v1/ws</c>, beside the usual way of System.Net.WebSockets.</summary>
[MemoryDiagnoser]
[Table(62, "WebSockets: a message",
    "Text in and out of a WebSocket whose client is memory. *Plain*: the usual loop, a 4 KiB buffer that is put " +
    "together in a MemoryStream and becomes a string; a string that becomes an array and leaves. *Ours*: pooled " +
    "memory in, written text out, with the frames metered.")]
public class SocketBenchmarks : IDisposable
{
    private const int Largest = 64 * 1024;

    private readonly byte[] _buffer = new byte[4096];
    private string _message = "";
    private byte[] _text = [];
    private WebSocket _plain = null!;
    private WebSocket _socket = null!;
    private SocketConnection _connection = null!;

    [Params(32, 1024, Largest)]
    public int Bytes { get; set; }

    [GlobalSetup]
    public void SetUp()
    {
        _message = new string('x', Bytes);
        _text = Encoding.ASCII.GetBytes(_message);
        // Nobody has logged in here: a message of 64 KiB is above the default for that.
        var limits = new RestLimits { MaxHttpWebSocketLoginBytes = Largest };
        var (transport, time) = (new TransportLimits(), TimeProvider.System);
        var parts = new SocketParts(
            limits, new HttpLimits(), transport, new BodyReader(limits, time),
            new AnswerSender(limits, transport, time), time, NullLogger<SocketParts>.Instance);
        var server = new WebSocketCreationOptions { IsServer = true };
        _plain = WebSocket.CreateFromStream(new EndlessFrames(_text), server);
        _socket = WebSocket.CreateFromStream(
            new MeteredStream(
                new EndlessFrames(_text), new FrameMeter(limits.MaxHttpWebSocketControlFramesPerSecond, time)),
            server);
        _connection = new SocketConnection(new DefaultHttpContext(), _socket, parts);
    }

    [Benchmark]
    public int ReceivePlain()
    {
        using var whole = new MemoryStream();
        WebSocketReceiveResult part;
        do
        {
            part = _plain.ReceiveAsync(new ArraySegment<byte>(_buffer), CancellationToken.None)
                .GetAwaiter().GetResult();
            whole.Write(_buffer, 0, part.Count);
        }
        while (!part.EndOfMessage);
        return Encoding.UTF8.GetString(whole.ToArray()).Length;
    }

    [Benchmark]
    public int Receive()
    {
        var receive = _connection.ReceiveAsync();
        if (!receive.IsCompletedSuccessfully || receive.Result != SocketInput.Text)
            throw new InvalidOperationException("The message is not there.");
        var length = _connection.Message.Length;
        _connection.Forget();
        return length;
    }

    [Benchmark]
    public void SendPlain() => _plain.SendAsync(
        new ArraySegment<byte>(Encoding.UTF8.GetBytes(_message)), WebSocketMessageType.Text, true,
        CancellationToken.None).GetAwaiter().GetResult();

    [Benchmark]
    public void Send()
    {
        var send = _connection.SendAsync(_text);
        if (!send.IsCompletedSuccessfully)
            throw new InvalidOperationException("It waits for nobody.");
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _connection?.Dispose();
        _plain?.Dispose();
        GC.SuppressFinalize(this);
    }
}
