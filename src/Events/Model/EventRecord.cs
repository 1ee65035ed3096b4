using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Events.Model;

/// <summary>An event, built once for all that get it. Immutable once it is raised.</summary>
/// <param name="layout">Which fields it has.</param>
/// <param name="values">In the order of the layout; the null Variant for a field without a value.</param>
/// <param name="source">The node that it is about: decides which notifiers have it, and who may see it. None: it is
/// the Server's.</param>
public sealed class EventRecord(EventLayout layout, Variant[] values, NodeHandle source)
{
    private static readonly FieldPath Retain = FieldPath.Of("Retain");

    public EventLayout Layout { get; } = layout;

    public ReadOnlySpan<Variant> Values => values;

    public NodeHandle Source { get; } = source;

    /// <summary>A notifier that has the event although no reference leads from it to the source: the object of the
    /// upstream that sent it. None: there is no such notifier.</summary>
    public NodeHandle Root { get; init; }

    /// <summary>The notification of a condition as a client sees it whose filter it does not pass any more.</summary>
    public EventRecord WithoutRetain()
    {
        var slot = Layout.SlotOf(Retain);
        if (slot < 0 || !IsRetained)
            return this;
        var changed = values.ToArray();
        changed[slot] = new Variant(false);
        return new EventRecord(Layout, changed, Source) { Root = Root };
    }

    /// <summary>The last notification of a retained condition for those who had this one: nobody may have another one,
    /// because its source is gone.</summary>
    public EventRecord Ended(byte[] eventId, DateTime time)
    {
        var changed = values.ToArray();
        Set("EventId", Variant.FromByteString(eventId));
        Set("Time", new Variant(time));
        Set("ReceiveTime", new Variant(time));
        Set("Retain", new Variant(false));
        return new EventRecord(Layout, changed, Source) { Root = Root };

        void Set(string field, Variant value)
        {
            if (Layout.SlotOf(FieldPath.Of(field)) is >= 0 and var slot)
                changed[slot] = value;
        }
    }

    /// <summary>Of interest to clients that list conditions.</summary>
    public bool IsRetained => Layout.IsCondition && Layout.SlotOf(Retain) is >= 0 and var slot &&
        values[slot] is { Type: BuiltInType.Boolean } retain && retain.AsBoolean();

    /// <summary>The same event, after its source has come to the address space or has left it.</summary>
    public EventRecord WithSource(NodeHandle other) => new(Layout, values, other) { Root = Root };
}
