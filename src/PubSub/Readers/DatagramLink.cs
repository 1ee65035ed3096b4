using System.Net;
using System.Net.Sockets;
using Gateway.Codec.Structures;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;
using Gateway.PubSub.Uadp;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Readers;

/// <summary>
/// Datagrams of one address: of a multicast group, which it joins, or of an own address. They are read one after the
/// other; what comes faster than that, the system drops. An address that cannot be listened at is tried again.
/// </summary>
internal sealed partial class DatagramLink : IReaderLink
{
    private const int ReceiveBufferBytes = 4 << 20;

    /// <summary>A flood must not keep one thread for itself.</summary>
    private const int MessagesPerTurn = 256;

    private static readonly TimeSpan RetryInterval = TimeSpan.FromSeconds(5);

    private readonly CancellationTokenSource _end = new();
    private readonly DatagramAddress _at;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private Task _loop = Task.CompletedTask;
    private volatile IReadOnlyList<IReaderInput> _inputs;
    private volatile string _error = "not listening yet";
    private long _messages;
    private long _strangers;

    /// <param name="at">A multicast group or an address of this machine.</param>
    /// <param name="inputs">The first ones.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Of the connection.</param>
    public DatagramLink(
        DatagramAddress at, IReadOnlyList<IReaderInput> inputs, TimeProvider time, ILogger logger)
    {
        (_at, _inputs) = (at, inputs);
        (_time, _logger) = (time, logger);
    }

    public void Start() => _loop = Task.Run(RunAsync);

    public void Change(IReadOnlyList<ReaderGroup> groups) => _inputs = [.. groups.Select(static one => one.Input)];

    public ReaderConnectionReport Describe(ReaderConnectionReport report) => report with
    {
        State = _error.Length == 0 ? PubSubState.Operational : PubSubState.Error,
        Detail = _error,
        Messages = Interlocked.Read(ref _messages),
        Strangers = Interlocked.Read(ref _strangers),
    };

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        await _loop.ConfigureAwait(false);
        _end.Dispose();
    }

    private async Task RunAsync()
    {
        while (!_end.IsCancellationRequested)
        {
            try
            {
                using var socket = await OpenAsync().ConfigureAwait(false);
                _error = "";
                LogListening(_logger, _at.Text, _at.Port);
                await ReceiveAsync(socket).ConfigureAwait(false);
            }
            catch (SocketException error)
            {
                var words = $"{_at.Text}, port {_at.Port}, cannot be listened at: {error.SocketErrorCode}";
                // Once for each cause.
                if (words != _error)
                    LogNotListening(_logger, words);
                _error = words;
                await PauseAsync().ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                return;
            }
        }
    }

    private async Task PauseAsync()
    {
        try
        {
            await Task.Delay(RetryInterval, _time, _end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The end.
        }
    }

    /// <exception cref="SocketException">The name is not known, or the address is not this machine's.</exception>
    private async Task<Socket> OpenAsync()
    {
        var address = IPAddress.TryParse(_at.Host, out var known)
            ? known
            : (await Dns.GetHostAddressesAsync(_at.Host, _end.Token).ConfigureAwait(false)).FirstOrDefault() ??
                throw new SocketException((int)SocketError.HostNotFound);
        var socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            socket.ReceiveBufferSize = ReceiveBufferBytes;
            if (DatagramAddress.IsMulticast(address))
                Join(socket, address);
            else
                socket.Bind(new IPEndPoint(address, _at.Port));
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Others on this machine may listen to the group, too. Bound to the group's address, the socket gets no
    /// datagrams of other groups at its port.</summary>
    private void Join(Socket socket, IPAddress group)
    {
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        var isIpv4 = group.AddressFamily == AddressFamily.InterNetwork;
        socket.Bind(new IPEndPoint(
            OperatingSystem.IsWindows() ? isIpv4 ? IPAddress.Any : IPAddress.IPv6Any : group, _at.Port));
        _at.Join(socket, group);
    }

    private async Task ReceiveAsync(Socket socket)
    {
        var buffer = new byte[UadpWriterOptions.LargestMessageBytes];
        var sender = new SocketAddress(socket.AddressFamily);
        for (var turn = 1; ; turn++)
        {
            var length = await socket.ReceiveFromAsync(buffer, SocketFlags.None, sender, _end.Token)
                .ConfigureAwait(false);
            Take(buffer.AsSpan(0, length));
            if (turn % MessagesPerTurn == 0)
                await Task.Yield();
        }
    }

    private void Take(ReadOnlySpan<byte> message)
    {
        Interlocked.Increment(ref _messages);
        var isTaken = false;
#pragma warning disable CA1031 // Of this message alone (R40).
        try
        {
            foreach (var input in _inputs)
                isTaken |= input.TryTake(null, message);
        }
        catch (Exception error)
#pragma warning restore CA1031
        {
            LogFault(_logger, error);
        }

        if (!isTaken)
            Interlocked.Increment(ref _strangers);
    }

    [LoggerMessage(6311, LogLevel.Information, "PubSub: listening at {Host}:{Port}")]
    private static partial void LogListening(ILogger logger, string host, int port);

    [LoggerMessage(6312, LogLevel.Warning, "PubSub: {Words}; it is tried again")]
    private static partial void LogNotListening(ILogger logger, string words);

    [LoggerMessage(6313, LogLevel.Error, "PubSub: a fault of the gateway at a datagram")]
    private static partial void LogFault(ILogger logger, Exception error);
}
