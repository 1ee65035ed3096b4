using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>One subscription to the events of an upstream, over all the connections that it lasts. Thread: the loop of
/// events.</summary>
/// <param name="feed">By which they come.</param>
/// <param name="mirror">Gets them.</param>
/// <param name="root">The upstream's object.</param>
/// <param name="context">Of all upstreams.</param>
/// <param name="metrics">Of this one.</param>
/// <param name="told">Null: no server stands by whose queue may have them, too.</param>
internal sealed class EventService(
    EventFeed feed, ConditionMirror mirror, NodeId root, UpstreamContext context, UpstreamMetrics metrics,
    ToldEvents? told)
{
    private const uint RefreshStart = StandardIds.ObjectTypes.RefreshStartEventType;
    private const uint RefreshEnd = StandardIds.ObjectTypes.RefreshEndEventType;
    private const uint RefreshRequired = StandardIds.ObjectTypes.RefreshRequiredEventType;
    private const uint QueueOverflow = StandardIds.ObjectTypes.EventQueueOverflowEventType;

    /// <summary>Conditions told at once, so that nobody waits for all of them.</summary>
    private const int UncertainSlice = 64;

    private EventTranslator _translator = null!;
    private ConditionRefresh? _refresh;
    private long _refusedConditions;

    public EventFeed Feed => feed;

    public EventIntake Intake => feed.Intake;

    public UpstreamLink Link { get; private set; } = null!;

    /// <summary>Until <see cref="Look"/> has something to do.</summary>
    public TimeSpan Due => _refresh!.Due;

    /// <summary>The subscription is upon this connection now.</summary>
    /// <param name="link">The connection.</param>
    /// <param name="wasAway">Conditions were told as away meanwhile.</param>
    public void Follow(UpstreamLink link, bool wasAway)
    {
        // Over a short break nothing is lost. A refresh that was under way ended with the connection.
        var isNew = _refresh is null or { IsOpen: true };
        Link = link;
        _translator = new EventTranslator(context.Nodes, link.Namespaces, feed.Layouts, root, context.Time);
        if (isNew || wasAway)
        {
            _refresh = new ConditionRefresh(
                link, feed.Subscription.Id, mirror, context.Limits, context.Time);
            // The end of the one before may have been lost with the connection.
            told?.EndRefresh();
        }
        else
        {
            _refresh!.Link = link;
        }
    }

    public void TakeAll()
    {
        while (Intake.TryTake(out var next))
            Take(next);
        if (mirror.Refused == _refusedConditions)
            return;
        _refusedConditions = mirror.Refused;
        metrics.Met(mirror.Count >= context.Limits.MaxUpstreamConditions
            ? UpstreamBound.MaxUpstreamConditions
            : UpstreamBound.MaxUpstreamConditionBytes);
    }

    /// <summary>Null, or why a refresh has failed.</summary>
    public StatusCode? Look(CancellationToken cancellation)
    {
        LookForLoss();
        if (!_refresh!.Look(Intake.Wake, cancellation))
            return null;
        if (_refresh.Failure == StatusCodes.BadTimeout)
            metrics.Met(UpstreamBound.MaxUpstreamRefreshTime);
        if (_refresh.IsInVain)
        {
            while (mirror.TellUncertain(UncertainSlice))
            {
            }
        }

        return _refresh.Failure;
    }

    private void Take(in IncomingEvent next)
    {
        var type = next.Fields.Length > MirroredFields.EventType
            ? next.Fields[MirroredFields.EventType].AsNodeId()
            : default;
        // They are about the gateway's subscription there, and none of its clients' business.
        if (type is { NamespaceIndex: 0, IdType: IdType.Numeric } &&
            type.Numeric is RefreshStart or RefreshEnd or RefreshRequired or QueueOverflow)
        {
            TakeOwn(type.Numeric, next.Fields);
            return;
        }

        if (told?.TryAdd(next.Fields) == false)
            return;
        if (_translator.Translate(next.Fields) is { } record)
            mirror.Take(record, next.Bytes);
        else
            metrics.EventRefused();
    }

    private void TakeOwn(uint type, Variant[] fields)
    {
        switch (type)
        {
            case RefreshStart:
                told?.BeginRefresh(fields.Length > MirroredFields.Time
                    ? fields[MirroredFields.Time].AsDateTime()
                    : default);
                _refresh!.Begin();
                break;
            case RefreshEnd:
                // A loss before it counts: what is not told of may still be.
                LookForLoss();
                told?.EndRefresh();
                _refresh!.End();
                break;
            case QueueOverflow when told?.IsCatchingUp == true:
                // Of a server that stood by: its queue was full of what was told.
                break;
            default:
                _refresh!.Lose();
                break;
        }
    }

    private void LookForLoss()
    {
        if (Intake.TakeLoss())
            _refresh!.Lose();
    }
}
