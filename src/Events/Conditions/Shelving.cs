using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>The ShelvingState of an alarm. Source: Part 9 §5.8.17.</summary>
/// <param name="Kind">CurrentState.</param>
/// <param name="Transition">LastTransition; null before the first.</param>
/// <param name="Since">TransitionTime of it, UTC.</param>
/// <param name="Until">The end of the shelving, on the monotonic clock; of no meaning while unshelved.</param>
internal readonly record struct Shelving(ShelvingKind Kind, NodeId Transition, DateTime Since, long Until)
{
    public bool IsShelved => Kind != ShelvingKind.Unshelved;

    public Shelving To(ShelvingKind next, DateTime now, long until) =>
        new(next, new NodeId(ShelvingTable.TransitionOf(Kind, next)), now, until);
}
