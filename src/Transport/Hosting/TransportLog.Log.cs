using System.Net;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Hosting;

internal sealed partial class TransportLog
{
    [LoggerMessage(1002, LogLevel.Debug,
        "Connection of {Remote} for {EndpointUrl} closed, certificate {Thumbprint}: {Reason}")]
    private partial void ChannelClosed(
        EndPoint? remote, string endpointUrl, string thumbprint, ChannelCloseReason reason);

    [LoggerMessage(1003, LogLevel.Warning,
        "Connection of {Remote} for {EndpointUrl} ended, certificate {Thumbprint}: {Reason}. {Detail}")]
    private partial void ChannelFailed(
        EndPoint? remote, string endpointUrl, string thumbprint, ChannelCloseReason reason, string detail);

    [LoggerMessage(1004, LogLevel.Error, "Connection of {Remote} ended by a fault of ours")]
    private partial void ConnectionBroke(Exception exception, EndPoint? remote);

    [LoggerMessage(1006, LogLevel.Warning,
        "The process may open {Limit} descriptors, which leaves {Capacity} for connections; " +
        "Limits:MaxConnections, Limits:MaxWaitingConnections and Limits:MaxHttpConnections together are {Wanted}. " +
        "Raise the descriptor limit (ulimit -n, LimitNOFILE=) to {Needed}, or lower these three")]
    public partial void FewDescriptors(int limit, int capacity, int wanted, int needed);
}
