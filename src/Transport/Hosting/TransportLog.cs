using System.Net;
using Gateway.Codec.Text;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Hosting;

/// <summary>The transport's log. Peer text never reaches it other than escaped and cut; the host's log counts floods
/// instead of printing them (R24). Threads: any.</summary>
internal sealed partial class TransportLog(ILogger logger)
{
    private const int MaxDetailLength = 1000;

    private readonly ILogger _logger = logger;

    public void Closed(EndPoint? remote, string endpointUrl, string thumbprint, ChannelCloseReason reason,
        string detail)
    {
        var expected = reason is ChannelCloseReason.PeerClosed or ChannelCloseReason.LocalClosed
            or ChannelCloseReason.Shutdown;
        var level = expected ? LogLevel.Debug : LogLevel.Warning;
        if (!_logger.IsEnabled(level))
            return;
        if (expected)
            ChannelClosed(remote, PeerText.Escape(endpointUrl), thumbprint, reason);
        else
            ChannelFailed(
                remote, PeerText.Escape(endpointUrl), thumbprint, reason,
                PeerText.EscapeLine(detail, MaxDetailLength));
    }

    public void Bug(EndPoint? remote, Exception exception) => ConnectionBroke(exception, remote);
}
