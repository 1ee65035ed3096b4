using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;

namespace Gateway.Operations.Browsing;

/// <summary>The filter of one BrowseDescription, with its ids looked up. Source: Part 4 §5.9.2.</summary>
/// <param name="Direction">Valid.</param>
/// <param name="ReferenceType">None: every type.</param>
/// <param name="IncludeSubtypes">Includes subtypes of the reference type.</param>
/// <param name="NodeClassMask">0: every class.</param>
/// <param name="ResultMask">The fields of the ReferenceDescription to fill.</param>
public sealed record BrowseFilter(
    BrowseDirection Direction, NodeHandle ReferenceType, bool IncludeSubtypes, uint NodeClassMask,
    BrowseResultMask ResultMask)
{
    public bool Matches(NodeTable nodes, in Reference reference) =>
        MatchesDirection(reference.IsForward) && MatchesType(nodes, reference.ReferenceType);

    /// <summary>Not asked for a target on another server: Browse returns it whatever its class is.</summary>
    public bool MatchesClass(NodeClass nodeClass) => NodeClassMask == 0 || (NodeClassMask & (uint)nodeClass) != 0;

    public bool Asks(BrowseResultMask field) => (ResultMask & field) != 0;

    private bool MatchesDirection(bool isForward) => Direction switch
    {
        BrowseDirection.Forward => isForward,
        BrowseDirection.Inverse => !isForward,
        _ => true,
    };

    private bool MatchesType(NodeTable nodes, NodeHandle type) =>
        ReferenceType.IsNone || type == ReferenceType || (IncludeSubtypes && nodes.IsSubtypeOf(type, ReferenceType));
}
