using System.Net.WebSockets;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Profiles;

namespace Gateway.Transport.Tests.Conversation;

public sealed class WebSocketConnectionTests
{
    /// <summary>No memory for a frame: the flush never ended, and the WebSocket stayed (R37, R40).</summary>
    [Fact]
    public async Task Send_NoMemoryForAFrame_TheFlushEndsAndTheSocketGoes()
    {
        var socket = new PoorSocket();
        var connection = new WebSocketConnection(
            socket, TransportProfiles.WebSocket, new ManualTimeProvider(), cut: null, CancellationToken.None);
        var hello = new byte[] { (byte)'H', (byte)'E', (byte)'L', (byte)'F', 8, 0, 0, 0 };

        var flush = connection.Transport.Output.WriteAsync(hello).AsTask();

        Assert.True(flush.IsCompleted);
        await Assert.ThrowsAsync<IOException>(() => flush);
        await connection.DisposeAsync();
        Assert.True(socket.IsDisposed);
    }

    /// <summary>Says nothing, and has no memory to send.</summary>
    private sealed class PoorSocket : WebSocket
    {
        private readonly TaskCompletionSource<ValueWebSocketReceiveResult> _received = new();

        public bool IsDisposed { get; private set; }

        public override WebSocketCloseStatus? CloseStatus => null;

        public override string? CloseStatusDescription => null;

        public override WebSocketState State => WebSocketState.Open;

        public override string? SubProtocol => null;

        public override void Abort() => _received.TrySetException(new WebSocketException("aborted"));

        public override Task CloseAsync(
            WebSocketCloseStatus closeStatus, string? statusDescription, CancellationToken cancellationToken) =>
            Task.CompletedTask;

        /// <summary>The peer answers at once.</summary>
        public override Task CloseOutputAsync(
            WebSocketCloseStatus closeStatus, string? statusDescription, CancellationToken cancellationToken)
        {
            _received.TrySetResult(new ValueWebSocketReceiveResult(0, WebSocketMessageType.Close, true));
            return Task.CompletedTask;
        }

        public override void Dispose() => IsDisposed = true;

        public override Task<WebSocketReceiveResult> ReceiveAsync(
            ArraySegment<byte> buffer, CancellationToken cancellationToken) => throw new NotSupportedException();

        public override ValueTask<ValueWebSocketReceiveResult> ReceiveAsync(
            Memory<byte> buffer, CancellationToken cancellationToken) => new(_received.Task);

        public override Task SendAsync(
            ArraySegment<byte> buffer, WebSocketMessageType messageType, bool endOfMessage,
            CancellationToken cancellationToken) => throw new InsufficientMemoryException();
    }
}
