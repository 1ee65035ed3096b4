using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Access;
using Gateway.Server.Sessions;
using Gateway.Server.Work;

namespace Gateway.Server.Browsing;

/// <summary>Browses one node at a time for Browse and BrowseNext, in turns. The references that one request may look at
/// are bounded: past that a node's rest waits behind a continuation point. Source: Part 4 §5.9.2, §5.9.3.</summary>
internal sealed class NodeBrowser(NodeTable nodes, NodeAccess access, ServerLimits limits)
{
    /// <summary>Of work: names, types and their encoding.</summary>
    private const int UnitsToDescribe = 8;

    private readonly Lazy<NodeHandle> _hasTypeDefinition = new(() => nodes.Find(new NodeId(StandardIds.ReferenceTypes.HasTypeDefinition)));

    /// <summary>Null: <paramref name="part"/> is to be worked off by <see cref="Step"/>.</summary>
    public BrowseResult? Begin(
        in Caller caller, in BrowseDescription description, uint requestedMaximum, long request, out BrowsePart part)
    {
        part = null!;
        var node = nodes.Find(description.NodeId);
        if (node.IsNone || !access.IsVisible(caller, node))
            return Bad(StatusCodes.BadNodeIdUnknown);
        if (description.BrowseDirection is < BrowseDirection.Forward or > BrowseDirection.Both)
            return Bad(StatusCodes.BadBrowseDirectionInvalid);
        var referenceType = default(NodeHandle);
        if (!description.ReferenceTypeId.IsNull)
        {
            referenceType = nodes.Find(description.ReferenceTypeId);
            if (!access.IsReferenceType(caller, referenceType))
                return Bad(StatusCodes.BadReferenceTypeIdInvalid);
        }

        var filter = new BrowseFilter(
            description.BrowseDirection, referenceType, description.IncludeSubtypes, description.NodeClassMask,
            (BrowseResultMask)description.ResultMask);
        var maximum = requestedMaximum == 0
            ? limits.MaxReferencesPerNode
            : (int)Math.Min(requestedMaximum, (uint)limits.MaxReferencesPerNode);
        part = new BrowsePart(new BrowseCursor(node, nodes.References(node), filter, maximum), request);
        return null;
    }

    /// <summary>Goes on until the turn is over. When the answer is full it looks ahead, so that no continuation point
    /// is spent on an empty rest. A node that is hidden from the caller by now is not looked at any further.</summary>
    /// <param name="session">Keeps what is left.</param>
    /// <param name="part">What is browsed.</param>
    /// <param name="turn">Of the request.</param>
    /// <param name="budget">References that this request may still look at.</param>
    /// <returns>Null: it goes on in the next turn.</returns>
    public BrowseResult? Step(Session session, BrowsePart part, WorkTurn turn, ref int budget)
    {
        var (cursor, caller) = (part.Cursor, turn.Caller);
        if (!access.IsVisible(caller, cursor.Node))
            return Bad(StatusCodes.BadNodeIdUnknown);
        for (; cursor.Next < cursor.References.Count; cursor.Next++)
        {
            if (turn.IsOver)
                return null;
            part.IsFull |= part.Found.Count == cursor.MaxReferences || budget <= 0;
            if (part.IsFull && budget <= 0)
                return Suspend(session, part);
            budget--;
            turn.Take();
            var reference = cursor.References[cursor.Next];
            if (!cursor.Filter.Matches(nodes, reference) ||
                !TryDescribe(caller, cursor.Filter, reference, out var one))
                continue;
            if (part.IsFull)
                return Suspend(session, part);
            part.Found.Add(one);
            turn.Take(UnitsToDescribe);
        }

        return new BrowseResult { References = [.. part.Found] };
    }

    private BrowseResult Suspend(Session session, BrowsePart part)
    {
        var id = session.ContinuationPoints.TryAdd(part.Cursor, part.Request, limits.MaxBrowseContinuationPoints);
        return id is null
            ? Bad(StatusCodes.BadNoContinuationPoints)
            : new BrowseResult { ContinuationPoint = id, References = [.. part.Found] };
    }

    private bool TryDescribe(
        in Caller caller, BrowseFilter filter, in Reference reference, out ReferenceDescription description)
    {
        description = default;
        var target = reference.Target;
        if (!access.IsVisible(caller, reference.ReferenceType))
            return false;
        if (!reference.IsExternal)
        {
            var nodeClass = nodes.GetNodeClass(target);
            if (nodeClass == NodeClass.Unspecified || !filter.MatchesClass(nodeClass) ||
                !access.IsVisible(caller, target))
                return false;
        }

        var isLocal = !reference.IsExternal;
        description = new ReferenceDescription
        {
            ReferenceTypeId = filter.Asks(BrowseResultMask.ReferenceTypeId)
                ? nodes.GetNodeId(reference.ReferenceType)
                : default,
            IsForward = filter.Asks(BrowseResultMask.IsForward) && reference.IsForward,
            NodeId = isLocal ? nodes.GetNodeId(target) : reference.ExternalTarget,
            BrowseName = isLocal && filter.Asks(BrowseResultMask.BrowseName) ? nodes.GetBrowseName(target) : default,
            DisplayName = isLocal && filter.Asks(BrowseResultMask.DisplayName)
                ? nodes.GetDisplayName(target, caller.Locales)
                : default,
            NodeClass = isLocal && filter.Asks(BrowseResultMask.NodeClass)
                ? nodes.GetNodeClass(target)
                : NodeClass.Unspecified,
            TypeDefinition = isLocal && filter.Asks(BrowseResultMask.TypeDefinition)
                ? TypeDefinitionOf(caller, target)
                : default,
        };
        return true;
    }

    private ExpandedNodeId TypeDefinitionOf(in Caller caller, NodeHandle node)
    {
        if (nodes.GetNodeClass(node) is not (NodeClass.Object or NodeClass.Variable))
            return default;
        foreach (var reference in nodes.References(node))
        {
            if (!reference.IsForward || reference.ReferenceType != _hasTypeDefinition.Value)
                continue;
            if (reference.IsExternal)
                return reference.ExternalTarget;
            return access.IsVisible(caller, reference.Target) ? nodes.GetNodeId(reference.Target) : default;
        }

        return default;
    }

    private static BrowseResult Bad(StatusCode status) => new() { StatusCode = status };
}
