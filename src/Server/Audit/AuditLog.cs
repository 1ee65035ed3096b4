using System.Net;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Server.Sessions;
using Gateway.Transport.Conversation;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Audit;

/// <summary>One structured line for each security-relevant accept and refusal; every event is counted, lines of a kind
/// above <see cref="ServerLimits.MaxAuditLinesPerSecond"/> are dropped and summed up in the next line that passes
/// (R24, R29). Thread-safe.</summary>
internal sealed partial class AuditLog(
    ILogger<AuditLog> logger, ServerCounters counters, ServerLimits limits, TimeProvider clock)
{
    private const int MaxDetailLength = 600;

    private readonly AuditBudget[] _budgets = [.. Enum.GetValues<AuditEvent>().Select(_ => new AuditBudget())];

    /// <summary>Something that a channel did before there was a session.</summary>
    public void Channel(AuditEvent kind, SecureChannel channel, StatusCode status, string? detail = null)
    {
        counters.CountAudit(kind, status);
        var level = LevelOf(status);
        if (!logger.IsEnabled(level) || !MayLog(kind, out var dropped))
            return;
        var cleaned = PeerText.EscapeLine(detail, MaxDetailLength);
        LogChannelEvent(level, kind, status, channel.ChannelId, channel.RemoteEndPoint, channel.PeerThumbprint, cleaned,
            dropped);
    }

    public void Session(AuditEvent kind, Session session, StatusCode status, string? detail = null)
    {
        counters.CountAudit(kind, status);
        var level = LevelOf(status);
        if (!logger.IsEnabled(level) || !MayLog(kind, out var dropped))
            return;
        var channel = session.Channel.Connection;
        var name = PeerText.Escape(session.Name);
        var user = PeerText.EscapeLine(session.Identity?.DisplayName);
        var cleaned = PeerText.EscapeLine(detail, MaxDetailLength);
        LogSessionEvent(level, kind, status, session.SessionId, name, user, channel.ChannelId, channel.RemoteEndPoint,
            channel.PeerThumbprint, cleaned, dropped);
    }

    /// <summary>A user at another door than UA-TCP.</summary>
    public void Login(AuditEvent kind, string user, IPAddress? remoteAddress, StatusCode status, string? detail = null)
    {
        counters.CountAudit(kind, status);
        var level = LevelOf(status);
        if (!logger.IsEnabled(level) || !MayLog(kind, out var dropped))
            return;
        var name = PeerText.Escape(user);
        var cleaned = PeerText.EscapeLine(detail, MaxDetailLength);
        LogLoginEvent(level, kind, status, name, remoteAddress, cleaned, dropped);
    }

    private static LogLevel LevelOf(StatusCode status) => status.IsBad ? LogLevel.Warning : LogLevel.Information;

    private bool MayLog(AuditEvent kind, out long dropped) => _budgets[(int)kind].TryTake(
        clock.GetTimestamp() / clock.TimestampFrequency, limits.MaxAuditLinesPerSecond, out dropped);
}
