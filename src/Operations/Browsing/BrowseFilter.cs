using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;

namespace Gateway.Operations.Browsing;

/// <summary>What one BrowseDescription asks for, with its names looked up. Source: Part 4 §5.9.2.</summary>
/// <param name="Direction">Valid.</param>
/// <param name="ReferenceType">None: every type.</param>
/// <param name="IncludeSubtypes">Of the reference type.</param>
/// <param name="NodeClassMask">0: every class.</param>
/// <param name="ResultMask">Which fields of the ReferenceDescription are filled.</param>
public sealed record BrowseFilter(
    BrowseDirection Direction, NodeHandle ReferenceType, bool IncludeSubtypes, uint NodeClassMask,
    BrowseResultMask ResultMask)
{
    public bool Matches(NodeTable nodes, in Reference reference) =>
        MatchesDirection(reference.IsForward) && MatchesType(nodes, reference.ReferenceType);

    /// <summary>A target on another server is returned whatever its class is.</summary>
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
