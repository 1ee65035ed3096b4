using Gateway.Events.Delivery;
using Gateway.Events.Model;

namespace Gateway.Publish.Items;

/// <summary>One ConditionRefresh of a subscription, or of one item of it. All its items get the same start and the same
/// end. Owner: the subscription, under its shard's lock. Source: Part 9 §5.5.7.</summary>
internal sealed class RefreshRun(EventHub hub, Action ended)
{
    private const ushort Severity = 100;

    private EventRecord? _start;
    private EventRecord? _end;

    /// <summary>Items that have not had their end yet.</summary>
    public int Open { get; private set; }

    public EventRecord Start => _start ??= hub.Maker.Make(
        StandardEvents.RefreshStart, default, "Server", "The refresh of conditions begins.", Severity);

    public EventRecord End => _end ??= hub.Maker.Make(
        StandardEvents.RefreshEnd, default, "Server", "The refresh of conditions has ended.", Severity);

    public void Begin() => Open++;

    public void Finish()
    {
        if (--Open == 0)
            ended();
    }
}
