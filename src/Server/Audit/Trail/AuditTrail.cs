using Gateway.Codec.Types;
using Gateway.Events.Delivery;

namespace Gateway.Server.Audit.Trail;

/// <summary>Where audit entries go beside the log: to clients as AuditEvents, and to the audit files. Without either
/// nothing is made of them. Thread-safe.</summary>
/// <param name="events">Brings events to clients.</param>
/// <param name="serverUri">The gateway's ApplicationUri.</param>
/// <param name="sink">Null: no files.</param>
/// <param name="clock">The gateway's.</param>
internal sealed class AuditTrail(EventHub events, string serverUri, IAuditSink? sink, TimeProvider clock)
{
    private readonly AuditEventMaker _maker = new(events, serverUri, clock);

    /// <summary>Somebody wants entries.</summary>
    public bool IsWatched => sink is not null || events.HasAuditListeners;

    /// <summary>Somebody wants all of an entry's facts: those that cost something to get.</summary>
    public bool WantsFacts => events.HasAuditListeners;

    public void Tell(in AuditEntry entry)
    {
        sink?.Append(RecordOf(entry));
        if (events.HasAuditListeners)
            _maker.Raise(entry);
    }

    private static AuditRecord RecordOf(in AuditEntry entry)
    {
        var (channel, refusal) = (entry.Channel, entry.Refusal);
        return new AuditRecord(entry.Kind, entry.Status)
        {
            User = entry.User,
            Door = entry.Door,
            Remote = channel?.RemoteEndPoint ?? refusal?.RemoteEndPoint,
            Address = entry.Address,
            ChannelId = channel?.ChannelId ?? 0,
            Policy = channel?.Policy.Name ?? refusal?.PolicyUri,
            Thumbprint = channel?.PeerThumbprint ?? refusal?.Thumbprint ?? entry.Thumbprint,
            SessionId = entry.Session?.SessionId ?? NodeId.Null,
            SessionName = entry.Session?.Name,
            EntryId = entry.Facts.EntryId,
            Detail = entry.Detail,
            Dropped = entry.Dropped,
        };
    }
}
