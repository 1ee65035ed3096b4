using System.Buffers;
using System.Diagnostics;
using System.IO.Pipelines;
using System.Net.WebSockets;
using Gateway.Codec.Pooling;
using Gateway.Transport.Profiles;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;

namespace Gateway.Transport.Conversation;

/// <summary>
/// A WebSocket of the sub-protocol <c>opcua+uacp</c> as the conversation sees any connection: each MessageChunk is one
/// binary frame. Input goes through a pipe on the thread that it arrived on. Output leaves frame by frame before a
/// flush is over, so that a peer that takes nothing shows as on a socket. At rest it holds no buffer. Owner: its
/// maker, who disposes it once the conversation is over. Source: Part 6 §7.5.2.
/// </summary>
public sealed class WebSocketConnection : ConnectionContext
{
    /// <summary>The sub-protocol that both sides agree on.</summary>
    public const string SubProtocol = "opcua+uacp";

    private const int InputPauseBytes = 128 * 1024;
    private const int ReadBytes = 8 * 1024;

    private static readonly TimeSpan FarewellTime = TimeSpan.FromSeconds(2);

    /// <summary>A flush of the conversation is over when all has left.</summary>
    private static readonly PipeOptions OutputOptions = new(
        readerScheduler: PipeScheduler.Inline, writerScheduler: PipeScheduler.Inline, pauseWriterThreshold: 1,
        resumeWriterThreshold: 1, useSynchronizationContext: false);

    private static readonly PipeOptions InputOptions = new(
        readerScheduler: PipeScheduler.Inline, writerScheduler: PipeScheduler.Inline,
        pauseWriterThreshold: InputPauseBytes, resumeWriterThreshold: InputPauseBytes / 2,
        useSynchronizationContext: false);

    private readonly WebSocket _socket;
    private readonly TimeProvider _time;
    private readonly Action? _cut;
    private readonly Pipe _input = new(InputOptions);
    private readonly Pipe _output = new(OutputOptions);
    private readonly CancellationTokenSource _closed = new();
    private readonly CancellationTokenRegistration _gone;
    private readonly Task _receiving;
    private readonly Task _sending;
    private WebSocketCloseStatus _closeStatus = WebSocketCloseStatus.NormalClosure;
    private int _isCut;

    /// <param name="socket">Open; this one's from here on.</param>
    /// <param name="profile">Of the conversation's SecureChannel.</param>
    /// <param name="time">Of the close.</param>
    /// <param name="cut">Ends the connection below at once; null: the WebSocket does.</param>
    /// <param name="gone">The peer has gone.</param>
    public WebSocketConnection(
        WebSocket socket, TransportProfile profile, TimeProvider time, Action? cut, CancellationToken gone)
    {
        (_socket, _time, _cut) = (socket, time, cut);
        Features.Set(profile);
        Transport = new Duplex(_input.Reader, _output.Writer);
        ConnectionClosed = _closed.Token;
        _gone = gone.UnsafeRegister(static self => ((WebSocketConnection)self!).Cut(), this);
        _receiving = ReceiveAsync();
        _sending = SendAsync();
    }

    public override string ConnectionId { get; set; } = "";

    public override IFeatureCollection Features { get; } = new FeatureCollection();

    public override IDictionary<object, object?> Items { get; set; } = new Dictionary<object, object?>();

    public override IDuplexPipe Transport { get; set; }

    public override void Abort(ConnectionAbortedException abortReason) => Cut();

    /// <summary>Sends what is left and closes; a peer that does not answer is cut off.</summary>
    public override async ValueTask DisposeAsync()
    {
        await _input.Reader.CompleteAsync().ConfigureAwait(false);
        await _output.Writer.CompleteAsync().ConfigureAwait(false);
        try
        {
            await CloseAsync().WaitAsync(FarewellTime, _time).ConfigureAwait(false);
        }
        catch (Exception error) when (IsOfPeer(error) || error is TimeoutException)
        {
            // It did not say goodbye.
        }

        Cut();
        await _sending.ConfigureAwait(false);
        await _receiving.ConfigureAwait(false);
        await _gone.DisposeAsync().ConfigureAwait(false);
        // Not the source of ConnectionClosed: its callbacks may still run, and it holds nothing.
        _socket.Dispose();
        await base.DisposeAsync().ConfigureAwait(false);
    }

    private static bool IsOfPeer(Exception error) => error is WebSocketException or OperationCanceledException
        or IOException or ObjectDisposedException or InvalidOperationException;

    private void Cut()
    {
        if (Interlocked.Exchange(ref _isCut, 1) != 0)
            return;
        _socket.Abort();
        _cut?.Invoke();
        // Not on the caller's thread, which may hold locks: a waiter goes on inline.
        _ = _closed.CancelAsync();
    }

    private async Task CloseAsync()
    {
        await _sending.ConfigureAwait(false);
        if (_socket.State is WebSocketState.Open or WebSocketState.CloseReceived)
            await _socket.CloseOutputAsync(_closeStatus, null, _closed.Token).ConfigureAwait(false);
        await _receiving.ConfigureAwait(false);
    }

    private async Task ReceiveAsync()
    {
        var writer = _input.Writer;
        Exception? end = null;
        try
        {
            while (await ReceiveSomeAsync(writer).ConfigureAwait(false))
            {
                var flush = await writer.FlushAsync().ConfigureAwait(false);
                if (!flush.IsCompleted)
                    continue;
                await DropAsync().ConfigureAwait(false);
                break;
            }
        }
#pragma warning disable CA1031 // An error of ours, as no memory for a frame: the other side would wait for ever (R37).
        catch (Exception error)
#pragma warning restore CA1031
        {
            Debug.Assert(IsOfPeer(error) || error is OutOfMemoryException, error.ToString());
            end = new IOException("The WebSocket is lost.", error);
        }

        await writer.CompleteAsync(end).ConfigureAwait(false);
    }

    /// <summary>False: the peer has closed, or sent what is no chunk.</summary>
    private async ValueTask<bool> ReceiveSomeAsync(PipeWriter writer)
    {
        // Nothing is rented until there is something to be read.
        var part = await _socket.ReceiveAsync(Memory<byte>.Empty, _closed.Token).ConfigureAwait(false);
        while (part.MessageType == WebSocketMessageType.Binary && !part.EndOfMessage)
        {
            part = await _socket.ReceiveAsync(writer.GetMemory(ReadBytes), _closed.Token).ConfigureAwait(false);
            writer.Advance(part.Count);
            if (part.Count > 0)
                break;
        }

        if (part.MessageType == WebSocketMessageType.Text)
            _closeStatus = WebSocketCloseStatus.InvalidMessageType;
        return part.MessageType == WebSocketMessageType.Binary;
    }

    /// <summary>Nobody reads any more: what comes until the peer has closed, too.</summary>
    private async Task DropAsync()
    {
        var rest = new byte[1024];
        while ((await _socket.ReceiveAsync(rest.AsMemory(), _closed.Token).ConfigureAwait(false)).MessageType !=
            WebSocketMessageType.Close)
        {
        }
    }

    private async Task SendAsync()
    {
        var reader = _output.Reader;
        Exception? end = null;
        try
        {
            for (var isLast = false; !isLast;)
            {
                var result = await reader.ReadAsync().ConfigureAwait(false);
                isLast = result.IsCompleted;
                var buffer = result.Buffer;
                while (TryTakeChunk(ref buffer, out var chunk))
                    await SendAsync(chunk).ConfigureAwait(false);
                reader.AdvanceTo(buffer.Start, buffer.End);
            }
        }
#pragma warning disable CA1031 // An error of ours, as no memory for a frame: the other side would wait for ever (R37).
        catch (Exception error)
#pragma warning restore CA1031
        {
            Debug.Assert(IsOfPeer(error) || error is OutOfMemoryException, error.ToString());
            end = new IOException("The WebSocket is lost.", error);
        }

        await reader.CompleteAsync(end).ConfigureAwait(false);
    }

    private static bool TryTakeChunk(ref ReadOnlySequence<byte> buffer, out ReadOnlySequence<byte> chunk)
    {
        chunk = default;
        if (!FrameReader.TryReadHeader(buffer, out var header) || header.SizeBytes > buffer.Length)
            return false;
        chunk = buffer.Slice(0, header.SizeBytes);
        buffer = buffer.Slice(chunk.End);
        return true;
    }

    private ValueTask SendAsync(in ReadOnlySequence<byte> chunk) => chunk.IsSingleSegment
        ? _socket.SendAsync(chunk.First, WebSocketMessageType.Binary, true, _closed.Token)
        : SendCopyAsync(chunk);

    private async ValueTask SendCopyAsync(ReadOnlySequence<byte> chunk)
    {
        var length = (int)chunk.Length;
        var copy = ByteArrays.Rent(length);
        try
        {
            chunk.CopyTo(copy);
            await _socket.SendAsync(copy.AsMemory(0, length), WebSocketMessageType.Binary, true, _closed.Token)
                .ConfigureAwait(false);
        }
        finally
        {
            ByteArrays.Return(copy, false);
        }
    }

    private sealed class Duplex(PipeReader input, PipeWriter output) : IDuplexPipe
    {
        public PipeReader Input => input;

        public PipeWriter Output => output;
    }
}
