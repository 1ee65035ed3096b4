using System.Net;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Hosting;

internal sealed partial class TransportLog
{
    [LoggerMessage(1004, LogLevel.Error, "Internal error: it ended the connection of {Remote}")]
    private partial void ConnectionBroke(Exception exception, EndPoint? remote);

    [LoggerMessage(1007, LogLevel.Error, "Internal error: it ended one job of a shared thread or timer, which goes on")]
    public partial void FaultContained(Exception exception);

    [LoggerMessage(1006, LogLevel.Warning,
        "The process may open {Limit} descriptors, which leaves {Capacity} for connections: {UaTcp} of " +
        "UA-TCP and {Http} of HTTP can be open at a time. " +
        "Limits:MaxConnections, Limits:MaxWaitingConnections and Limits:MaxHttpConnections together are {Wanted}. " +
        "Raise the descriptor limit (ulimit -n, LimitNOFILE=) to {Needed}, or lower these three")]
    public partial void FewDescriptors(int limit, int capacity, int uaTcp, int http, int wanted, int needed);
}
