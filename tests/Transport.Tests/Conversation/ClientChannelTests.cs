using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Tests.Sockets;
using Gateway.Transport.Tests.Support;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Tests.Conversation;

public sealed class ClientChannelTests
{
    private const string Reason = "RetryAfterMs=1500";

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ERR_HelloReadOrNot_StatusAndReasonReachTheCaller(bool isHelloRead)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        using var context = TestTransport.Make();
        var refusing = RefuseAsync(listener, isHelloRead);

        var error = await Assert.ThrowsAsync<ChannelConnectException>(async () => await ClientChannel.ConnectAsync(
            context, OptionsOf(port), new RecordingHandler()));

        await refusing;
        Assert.Equal(StatusCodes.BadTcpServerTooBusy, error.Status.CodeBits);
        Assert.Contains(Reason, error.Message, StringComparison.Ordinal);
        Gatehouse.Await(() => context.Outgoing.Open == 0, "its descriptor is still counted");
    }

    [Fact]
    public async Task ERR_ResetWithoutAWord_ConnectionClosed()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        using var context = TestTransport.Make();
        var resetting = ResetAsync(listener);

        var error = await Assert.ThrowsAsync<ChannelConnectException>(async () => await ClientChannel.ConnectAsync(
            context, OptionsOf(port), new RecordingHandler()));

        await resetting;
        Assert.Equal(StatusCodes.BadConnectionClosed, error.Status.CodeBits);
        Gatehouse.Await(() => context.Outgoing.Open == 0, "its descriptor is still counted");
    }

    [Fact]
    public async Task Connect_NobodyListens_ItsDescriptorIsFree()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        using var context = TestTransport.Make();

        await Assert.ThrowsAsync<ChannelConnectException>(async () => await ClientChannel.ConnectAsync(
            context, OptionsOf(port), new RecordingHandler()));

        Assert.Equal(0, context.Outgoing.Open);
    }

    /// <summary>The caller has the reason, and tries again every few seconds.</summary>
    [Fact]
    public async Task ERR_ForTheOpn_NoWarningBesideTheCallersError()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        var refusing = RefuseOpnAsync(listener);
        using var log = new ClosingLog();
        using var context = TestTransport.Make(new TransportLimits(), TimeProvider.System, log);

        var error = await Assert.ThrowsAsync<ChannelConnectException>(async () => await ClientChannel.ConnectAsync(
            context, OptionsOf(port), new RecordingHandler()));

        await refusing;
        Assert.Contains(Reason, error.Message, StringComparison.Ordinal);
        var (level, text) = await log.Closed;
        Assert.Equal(LogLevel.Debug, level);
        Assert.Contains($"of 127.0.0.1:{port} ended: PeerError", text, StringComparison.Ordinal);
    }

    private static ClientChannelOptions OptionsOf(int port) =>
        new() { EndpointUrl = $"opc.tcp://127.0.0.1:{port}", Validator = null };

    private static async Task RefuseOpnAsync(TcpListener listener)
    {
        using var socket = await listener.AcceptSocketAsync();
        await socket.ReceiveAsync(new byte[1024]);
        await socket.SendAsync((byte[])
        [
            .. "ACKF"u8, .. BitConverter.GetBytes(28), .. BitConverter.GetBytes(0), .. BitConverter.GetBytes(65536),
            .. BitConverter.GetBytes(65536), .. BitConverter.GetBytes(0), .. BitConverter.GetBytes(0),
        ]);
        await socket.ReceiveAsync(new byte[1024]);
        await socket.SendAsync(Refusal());
    }

    /// <summary>A close with unread bytes resets the connection.</summary>
    private static async Task RefuseAsync(TcpListener listener, bool readsHello)
    {
        using var socket = await listener.AcceptSocketAsync();
        await socket.ReceiveAsync(readsHello ? new byte[1024] : Memory<byte>.Empty);
        await socket.SendAsync(Refusal());
    }

    private static byte[] Refusal()
    {
        var reason = Encoding.UTF8.GetBytes(Reason);
        return
        [
            .. "ERRF"u8, .. BitConverter.GetBytes(16 + reason.Length),
            .. BitConverter.GetBytes(StatusCodes.BadTcpServerTooBusy), .. BitConverter.GetBytes(reason.Length),
            .. reason,
        ];
    }

    private static async Task ResetAsync(TcpListener listener)
    {
        using var socket = await listener.AcceptSocketAsync();
        await socket.ReceiveAsync(Memory<byte>.Empty);
        socket.LingerState = new LingerOption(true, 0);
    }

    private sealed class ClosingLog : ILoggerFactory, ILogger
    {
        private readonly TaskCompletionSource<(LogLevel Level, string Text)> _closed =
            new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<(LogLevel Level, string Text)> Closed => _closed.Task;

        public ILogger CreateLogger(string categoryName) => this;

        public void AddProvider(ILoggerProvider provider)
        {
        }

        public void Dispose()
        {
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (state is CloseLine)
                _closed.TrySetResult((logLevel, formatter(state, exception)));
        }
    }
}
