using System.Net;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Hosting;

internal sealed partial class TransportLog
{
    [LoggerMessage(1004, LogLevel.Error, "Connection of {Remote} ended by a fault of ours")]
    private partial void ConnectionBroke(Exception exception, EndPoint? remote);

    [LoggerMessage(1007, LogLevel.Error, "A fault of ours ended one job of a shared thread or timer, which goes on")]
    public partial void FaultContained(Exception exception);

    [LoggerMessage(1006, LogLevel.Warning,
        "The process may open {Limit} descriptors, which leaves {Capacity} for connections: {UaTcp} of " +
        "UA-TCP and {Http} of HTTP may be let in at a time. " +
        "Limits:MaxConnections, Limits:MaxWaitingConnections and Limits:MaxHttpConnections together are {Wanted}. " +
        "Raise the descriptor limit (ulimit -n, LimitNOFILE=) to {Needed}, or lower these three")]
    public partial void FewDescriptors(int limit, int capacity, int uaTcp, int http, int wanted, int needed);
}
