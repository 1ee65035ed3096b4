using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Publish;
using Gateway.Rest.Overview;
using Gateway.Sources.Upstreams;

namespace Gateway.Host.Overview;

/// <summary>Tells clients that know no alarms of upstreams: a DeviceFailureEventType where one is lost, a
/// SystemEventType where it is back or served in part. <see cref="NoticeAlarms"/> tells of all notices
/// (docs/events.md).</summary>
internal sealed class NoticeEvents(PublishEngine publishing, NodeTable nodes) : INoticeListener
{
    private const ushort FaultSeverity = 700;
    private const ushort WarningSeverity = 400;
    private const ushort EndedSeverity = 100;

    private readonly EventHub _events = publishing.Events;

    public void OnChange(NoticeChange change)
    {
        var notice = change.Notice;
        if (notice.Kind != "source" || !_events.IsWatched)
            return;
        // Without an object nobody can say for whom it is: those of the Server object are for all (R36).
        if (SourceOf(notice) is not { IsNone: false } source)
            return;
        var isEnded = change.Change == "ended";
        var isFailure = !isEnded && notice.IsFault;
        _events.Raise(_events.Maker.Make(
            isFailure ? StandardEvents.DeviceFailure : StandardEvents.SystemEvent,
            source,
            notice.Subject,
            isEnded ? $"Over: {notice.PublicWords}" : notice.PublicWords,
            isEnded ? EndedSeverity : notice.IsFault ? FaultSeverity : WarningSeverity));
    }

    /// <summary>The object of an upstream; None: it is gone, or never was.</summary>
    private NodeHandle SourceOf(Notice notice)
    {
        var index = nodes.Namespaces.GetOrAdd(UpstreamRoots.NamespaceUri);
        return nodes.Find(new NodeId(notice.Subject, index));
    }
}
