using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.PubSub.DataSets;

/// <summary>The source of an event data set: PublishedEvents. Immutable. Source: Part 14 §6.2.3.8.</summary>
/// <param name="Notifier">Null: it is not there now, or none of the types is.</param>
/// <param name="Types">Of the events; none: all.</param>
/// <param name="Filter">Selects the fields of the data set, in their order.</param>
public sealed record EventSelection(NodeId Notifier, IReadOnlyList<NodeId> Types, EventFilter Filter)
{
    /// <summary>The same events with the same fields, of one data set.</summary>
    public static bool IsSame(EventSelection? left, EventSelection? right) =>
        left is null || right is null
            ? ReferenceEquals(left, right)
            : left.Notifier == right.Notifier && left.Types.SequenceEqual(right.Types);
}
