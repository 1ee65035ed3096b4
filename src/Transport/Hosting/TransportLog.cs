using System.Net;
using Gateway.Codec.Text;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Hosting;

/// <summary>The transport's log. Peer text never reaches it other than escaped and cut; the host's log counts floods
/// instead of printing them (R24). Threads: any.</summary>
internal sealed partial class TransportLog(ILogger logger)
{
    private const int MaxDetailLength = 1000;

    private static readonly EventId ClosedEvent = new(1002, "ChannelClosed");
    private static readonly EventId FailedEvent = new(1003, "ChannelFailed");

    private readonly ILogger _logger = logger;

    /// <param name="remote">The peer.</param>
    /// <param name="endpointUrl">That the peer named, or we did.</param>
    /// <param name="thumbprint">Of the peer's certificate.</param>
    /// <param name="reason">Why it ended.</param>
    /// <param name="detail">Text of ours, in which text of the peer is escaped.</param>
    /// <param name="isTold">The caller that connected gets all of it as an error, and logs it.</param>
    public void Closed(EndPoint? remote, string endpointUrl, string thumbprint, ChannelCloseReason reason,
        string detail, bool isTold)
    {
        var expected = reason is ChannelCloseReason.PeerClosed or ChannelCloseReason.LocalClosed
            or ChannelCloseReason.Shutdown or ChannelCloseReason.EndedByOperator;
        var level = expected || isTold ? LogLevel.Debug : LogLevel.Warning;
        if (!_logger.IsEnabled(level))
            return;
        var line = new CloseLine(
            remote, PeerText.Escape(endpointUrl), thumbprint, reason,
            expected ? "" : PeerText.EscapeLine(detail, MaxDetailLength));
        _logger.Log(level, expected ? ClosedEvent : FailedEvent, line, null, static (state, _) => state.ToString());
    }

    public void Bug(EndPoint? remote, Exception exception) => ConnectionBroke(exception, remote);
}
