using System.Net;
using System.Net.Sockets;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;
using Gateway.PubSub.Uadp;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Outputs;

/// <summary>Sends datagrams: each once, to one address or a multicast group. There is no acknowledgement, so that
/// nothing is stored. Owner: its connection. Source: Part 14 §7.3.2.</summary>
internal sealed partial class UdpOutput : IConnectionOutput
{
    private readonly Socket _socket;
    private readonly SocketAddress _target;
    private readonly UadpPublisherId _publisherId;
    private readonly PubSubLimits _limits;
    private readonly GroupKeys _keys;
    private readonly ILogger _logger;
    private readonly bool _isIpv6;
    private long _failed;

    /// <exception cref="SocketException">The address cannot be used.</exception>
    public UdpOutput(
        IPEndPoint target, UadpPublisherId publisherId, PubSubLimits limits, GroupKeys keys, ILogger logger)
    {
        (_publisherId, _limits, _keys, _logger) = (publisherId, limits, keys, logger);
        _isIpv6 = target.AddressFamily == AddressFamily.InterNetworkV6;
        _socket = new Socket(target.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        _target = target.Serialize();
    }

    /// <summary>Datagrams that the system did not take.</summary>
    public long Failed => Volatile.Read(ref _failed);

    public INetworkMessageWriter WriterOf(WriterGroupOptions group, GroupDescription description) =>
        new UadpNetworkMessageWriter(description, new UadpWriterOptions
        {
            PublisherId = _publisherId,
            MaxMessageBytes = _isIpv6 ? UadpWriterOptions.Ipv6MessageBytes : UadpWriterOptions.Ipv4MessageBytes,
            MaxDataSetMessageBytes = _limits.MaxPubSubMessageBytes,
        }, _keys.SealerOf(group));

    public void Start()
    {
    }

    public ConnectionReport Describe(ConnectionReport report) => report with { Discarded = Failed };

    public bool TrySend(ushort writer, ReadOnlySpan<byte> topic, ReadOnlySpan<byte> message)
    {
        try
        {
            _socket.SendTo(message, SocketFlags.None, _target);
            return true;
        }
        catch (SocketException error)
        {
            if (Interlocked.Increment(ref _failed) == 1)
                LogFailed(_logger, error.SocketErrorCode);
            return false;
        }
    }

    /// <summary>A subscriber has the metadata by its configuration.</summary>
    public void Announce(Announcement announcement)
    {
    }

    public ValueTask DisposeAsync()
    {
        _socket.Dispose();
        return default;
    }

    [LoggerMessage(1, LogLevel.Warning,
        "PubSub: the system does not take datagrams ({Error}); further ones are counted")]
    private static partial void LogFailed(ILogger logger, SocketError error);
}
