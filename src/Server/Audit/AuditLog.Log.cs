using System.Net;
using Gateway.Codec.Types;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Audit;

internal sealed partial class AuditLog
{
    [LoggerMessage(EventId = 3100, Message = "Audit {Kind}: {Status} channel {ChannelId} from {RemoteEndPoint} " +
        "certificate {Thumbprint} {Detail} ({Dropped} lines of this kind dropped before)")]
    private partial void LogChannelEvent(
        LogLevel level, AuditEvent kind, StatusCode status, uint channelId, EndPoint? remoteEndPoint,
        string thumbprint, string detail, long dropped);

    [LoggerMessage(EventId = 3101, Message = "Audit {Kind}: {Status} session {SessionId} '{SessionName}' " +
        "user '{User}' channel {ChannelId} from {RemoteEndPoint} certificate {Thumbprint} {Detail} " +
        "({Dropped} lines of this kind dropped before)")]
    private partial void LogSessionEvent(
        LogLevel level, AuditEvent kind, StatusCode status, NodeId sessionId, string sessionName, string user,
        uint channelId, EndPoint? remoteEndPoint, string thumbprint, string detail, long dropped);

    [LoggerMessage(EventId = 3102, Message = "Audit {Kind}: {Status} user '{User}' from {RemoteAddress} {Detail} " +
        "({Dropped} lines of this kind dropped before)")]
    private partial void LogLoginEvent(
        LogLevel level, AuditEvent kind, StatusCode status, string user, IPAddress? remoteAddress, string detail,
        long dropped);
}
