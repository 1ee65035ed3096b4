using System.Runtime.CompilerServices;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Continuation;
using Gateway.Operations.Work;

namespace Gateway.Operations.Browsing;

/// <summary>Browse and BrowseNext: one node after the other, in turns. The number of references that one request visits
/// is bounded; above it a continuation point holds a node's rest. Thread-safe. Source: Part 4 §5.9.2, §5.9.3.</summary>
public sealed class NodeBrowser(NodeTable nodes, NodeAccess access, OperationLimits limits)
{
    /// <summary>Work besides the references: to find the node and to begin its result.</summary>
    private const int UnitsToBegin = 4;

    /// <summary>Work for one reference in the result: names, types and their encoding.</summary>
    private const int UnitsToDescribe = 8;

    /// <summary>A result for each node. Waits only for its turns; errors as <see cref="WorkTurn.NextAsync"/>.</summary>
    /// <param name="turn">The request's work.</param>
    /// <param name="owner">Owns the continuation points.</param>
    /// <param name="descriptions">The nodes to browse and their filters.</param>
    /// <param name="requestedMaximum">References of one node in this response; 0: no limit by the client.</param>
    public async ValueTask<BrowseResult[]> BrowseAsync(
        WorkTurn turn, IBrowsePointOwner owner, BrowseDescription[] descriptions, uint requestedMaximum)
    {
        var results = new BrowseResult[descriptions.Length];
        var number = ContinuationRequest.Begin();
        var budget = limits.MaxReferencesPerCall;
        for (var i = 0; i < results.Length; i++)
        {
            if (!turn.Take(UnitsToBegin))
                await turn.NextAsync().ConfigureAwait(false);
            var result = Begin(turn.Caller, descriptions[i], requestedMaximum, number, out var part);
            while ((result ??= Step(owner, part, turn, ref budget)) is null)
                await turn.NextAsync().ConfigureAwait(false);
            results[i] = result.GetValueOrDefault();
        }

        return results;
    }

    /// <summary>Continues behind continuation points. Errors of one: Bad_ContinuationPointInvalid.</summary>
    public async ValueTask<BrowseResult[]> BrowseNextAsync(WorkTurn turn, IBrowsePointOwner owner, byte[]?[] points)
    {
        var results = new BrowseResult[points.Length];
        var number = ContinuationRequest.Begin();
        var budget = limits.MaxReferencesPerCall;
        for (var i = 0; i < results.Length; i++)
        {
            if (!turn.Take(UnitsToBegin))
                await turn.NextAsync().ConfigureAwait(false);
            if (owner.BrowsePointsIfAny?.Take(points[i]) is not { } cursor)
            {
                results[i] = Bad(StatusCodes.BadContinuationPointInvalid);
                continue;
            }

            var part = new BrowsePart(cursor, number);
            BrowseResult? result = null;
            while ((result ??= Step(owner, part, turn, ref budget)) is null)
                await turn.NextAsync().ConfigureAwait(false);
            results[i] = result.GetValueOrDefault();
        }

        return results;
    }

    /// <summary>Releases continuation points that the client no longer needs.</summary>
    public static void Release(IBrowsePointOwner owner, byte[]?[] points)
    {
        foreach (var point in points)
            owner.BrowsePointsIfAny?.Take(point);
    }

    /// <summary>Null: <see cref="Step"/> must work on <paramref name="part"/>.</summary>
    private BrowseResult? Begin(
        Caller caller, in BrowseDescription description, uint requestedMaximum, long request, out BrowsePart part)
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

    /// <summary>Runs until the turn is over. Bad_ResponseTooLarge when the request's memory is used up: all results
    /// stay until the last one is there (R43). When the result is full it looks ahead, so that no continuation point is
    /// spent on an empty rest. A node that has become invisible to the caller ends the browse.</summary>
    /// <param name="owner">Keeps the continuation point of the rest.</param>
    /// <param name="part">The browse of one node.</param>
    /// <param name="turn">The request's work.</param>
    /// <param name="budget">References that this request may still visit.</param>
    /// <returns>Null: it continues in the next turn.</returns>
    private BrowseResult? Step(IBrowsePointOwner owner, BrowsePart part, WorkTurn turn, ref int budget)
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
                return Suspend(owner, part);
            budget--;
            turn.Take();
            var reference = cursor.References[cursor.Next];
            if (!cursor.Filter.Matches(nodes, reference) ||
                !TryDescribe(caller, cursor.Filter, reference, out var one))
                continue;
            if (part.IsFull)
                return Suspend(owner, part);
            if (!turn.TryHold(Unsafe.SizeOf<ReferenceDescription>()))
                return Bad(StatusCodes.BadResponseTooLarge);
            part.Found.Add(one);
            turn.Take(UnitsToDescribe);
        }

        return new BrowseResult { References = [.. part.Found] };
    }

    private BrowseResult Suspend(IBrowsePointOwner owner, BrowsePart part)
    {
        var id = owner.BrowsePoints.TryAdd(part.Cursor, part.Request, limits.MaxBrowseContinuationPoints);
        return id is null
            ? Bad(StatusCodes.BadNoContinuationPoints)
            : new BrowseResult { ContinuationPoint = id, References = [.. part.Found] };
    }

    private bool TryDescribe(
        Caller caller, BrowseFilter filter, in Reference reference, out ReferenceDescription description)
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

    private ExpandedNodeId TypeDefinitionOf(Caller caller, NodeHandle node)
    {
        if (nodes.GetNodeClass(node) is not (NodeClass.Object or NodeClass.Variable) ||
            nodes.TypeDefinitionOf(node) is not { } reference)
            return default;
        if (reference.IsExternal)
            return reference.ExternalTarget;
        return access.IsVisible(caller, reference.Target) ? nodes.GetNodeId(reference.Target) : default;
    }

    private static BrowseResult Bad(StatusCode status) => new() { StatusCode = status };
}
