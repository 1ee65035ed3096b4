using System.Runtime.CompilerServices;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Work;

namespace Gateway.Operations.Browsing;

/// <summary>Follows RelativePaths, in turns. Nodes that the user may not see are not passed through (R36).
/// Source: Part 4 §5.9.4.</summary>
public sealed class PathTranslator(NodeTable nodes, NodeAccess access, OperationLimits limits)
{
    private const uint PathComplete = uint.MaxValue;

    /// <summary>Work besides the references.</summary>
    private const int UnitsToBegin = 4;

    /// <summary>A result for each path. All paths share the work and the memory of one request; when its work is used
    /// up, the other paths get Bad_QueryTooComplex, and Bad_ResponseTooLarge when its memory is. Waits only for its
    /// turns; errors as <see cref="WorkTurn.NextAsync"/>.</summary>
    /// <param name="turn">The request's work.</param>
    /// <param name="paths">From their starting nodes.</param>
    /// <param name="maxTargets">Targets of a path in its result; further ones are left out.</param>
    public async ValueTask<BrowsePathResult[]> TranslateAsync(
        WorkTurn turn, BrowsePath[] paths, int maxTargets = int.MaxValue)
    {
        var results = new BrowsePathResult[paths.Length];
        var names = new NameIndexes();
        for (var i = 0; i < results.Length; i++)
        {
            if (!turn.Take(UnitsToBegin))
                await turn.NextAsync().ConfigureAwait(false);
            if (!turn.TryHold(0))
            {
                results[i] = Bad(StatusCodes.BadResponseTooLarge);
                continue;
            }

            var result = Begin(turn.Caller, paths[i], names, out var walk);
            while ((result ??= Step(walk, turn, maxTargets)) is null)
                await turn.NextAsync().ConfigureAwait(false);
            results[i] = result.GetValueOrDefault();
            if (turn.IsSpent && results[i].StatusCode.CodeBits == StatusCodes.BadQueryTooComplex)
                turn.CountRefused();
        }

        return results;
    }

    /// <summary>Null: <see cref="Step"/> must work on <paramref name="walk"/>.</summary>
    private BrowsePathResult? Begin(Caller caller, in BrowsePath path, NameIndexes names, out PathWalk walk)
    {
        walk = null!;
        var start = nodes.Find(path.StartingNode);
        if (start.IsNone || !access.IsVisible(caller, start))
            return Bad(path.StartingNode.IsNull ? StatusCodes.BadNodeIdInvalid : StatusCodes.BadNodeIdUnknown);
        if (path.RelativePath?.Elements is not { Length: > 0 } elements)
            return Bad(StatusCodes.BadNothingToDo);
        var status = Check(caller, elements);
        if (status.IsBad)
            return Bad(status);
        walk = new PathWalk(caller, elements, start, names);
        return null;
    }

    /// <summary>Goes on until the turn is over. Null: in the next one.</summary>
    private BrowsePathResult? Step(PathWalk walk, WorkTurn turn, int maxTargets)
    {
        while (walk.Element < walk.Elements.Length && walk.Level.Count > 0)
        {
            if (walk is { Node: 0, Reference: 0 })
                walk.Filter = FilterOf(walk.Elements[walk.Element]);
            for (; walk.Node < walk.Level.Count; walk.Node++)
            {
                if (turn.IsSpent)
                    return Bad(StatusCodes.BadQueryTooComplex);
                if (!StepNode(walk, turn))
                    return null;
                if (walk.Visited > limits.MaxNodesPerBrowsePath)
                    return Bad(StatusCodes.BadQueryTooComplex);
                walk.Reference = 0;
            }

            walk.Advance();
        }

        return End(walk, turn, maxTargets);
    }

    /// <summary>The results of all paths stay until the last one is there, so they count for the request.</summary>
    private BrowsePathResult End(PathWalk walk, WorkTurn turn, int maxTargets)
    {
        var count = Math.Min(walk.Targets.Count + walk.Level.Count, maxTargets);
        if (count == 0)
            return Bad(StatusCodes.BadNoMatch);
        if (!turn.TryHold((long)count * Unsafe.SizeOf<BrowsePathTarget>()))
            return Bad(StatusCodes.BadResponseTooLarge);
        var targets = new BrowsePathTarget[count];
        for (var i = 0; i < count; i++)
            targets[i] = i < walk.Targets.Count
                ? walk.Targets[i]
                : new BrowsePathTarget
                {
                    TargetId = nodes.GetNodeId(walk.Level[i - walk.Targets.Count]),
                    RemainingPathIndex = PathComplete,
                };
        return new BrowsePathResult { Targets = targets };
    }

    private StatusCode Check(Caller caller, RelativePathElement[] elements)
    {
        for (var i = 0; i < elements.Length; i++)
        {
            if (elements[i].TargetName.IsNull && i < elements.Length - 1)
                return StatusCodes.BadBrowseNameInvalid;
            var type = elements[i].ReferenceTypeId;
            if (!type.IsNull && !access.IsReferenceType(caller, nodes.Find(type)))
                return StatusCodes.BadReferenceTypeIdInvalid;
        }

        return StatusCode.Good;
    }

    private BrowseFilter FilterOf(in RelativePathElement element) => new(
        element.IsInverse ? BrowseDirection.Inverse : BrowseDirection.Forward,
        nodes.Find(element.ReferenceTypeId), element.IncludeSubtypes, 0, BrowseResultMask.None);

    /// <summary>The nodes one element further than one of the level. False: the turn is over. A target on another
    /// server ends its branch there and says which elements are left.</summary>
    private bool StepNode(PathWalk walk, WorkTurn turn)
    {
        var references = nodes.References(walk.Level[walk.Node]);
        var name = walk.Elements[walk.Element].TargetName;
        if (walk.Reference == 0)
            walk.Index = name.IsNull ? null : walk.Names.Of(KeyOf(walk), references.Count);
        if (walk.Index is { IsComplete: true })
        {
            Find(walk, name, turn, references.Count);
            return true;
        }

        for (; walk.Reference < references.Count; walk.Reference++)
        {
            if (turn.IsOver)
                return false;
            turn.Take();
            if (++walk.Visited > limits.MaxNodesPerBrowsePath)
            {
                walk.Names.Forget(KeyOf(walk));
                return true;
            }

            Look(walk, references[walk.Reference], name);
        }

        if (walk.Index is { } index)
            index.IsComplete = true;
        return true;
    }

    private void Look(PathWalk walk, in Reference reference, QualifiedName name)
    {
        if (!walk.Filter.Matches(nodes, reference) || !access.IsVisible(walk.Caller, reference.ReferenceType))
            return;
        if (reference.IsExternal)
        {
            walk.Index?.External.Add(reference.ExternalTarget);
            AddExternal(walk, reference.ExternalTarget);
            return;
        }

        var target = reference.Target;
        if (nodes.GetNodeClass(target) == NodeClass.Unspecified || !access.IsVisible(walk.Caller, target))
            return;
        var found = name.IsNull && walk.Index is null ? default : nodes.GetBrowseName(target);
        walk.Index?.Add(found, target);
        if (name.IsNull || found == name)
            walk.Add(target);
    }

    /// <summary>Counts for the path as if it had looked through the references: which path comes first makes no
    /// difference.</summary>
    private static void Find(PathWalk walk, QualifiedName name, WorkTurn turn, int references)
    {
        walk.Visited += references;
        var found = new List<NodeHandle>();
        turn.Take(1 + walk.Index!.Find(name, found) + walk.Index.External.Count);
        foreach (var target in found)
            walk.Add(target);
        foreach (var target in walk.Index.External)
            AddExternal(walk, target);
    }

    private static NameIndexes.StepKey KeyOf(PathWalk walk) => new(
        walk.Level[walk.Node], walk.Filter.ReferenceType, walk.Filter.Direction == BrowseDirection.Inverse,
        walk.Filter.IncludeSubtypes);

    /// <summary>Its name is not known here: all elements from this one on are left, unless this was to match any name.
    /// </summary>
    private static void AddExternal(PathWalk walk, ExpandedNodeId target) => walk.Targets.Add(new BrowsePathTarget
    {
        TargetId = target,
        RemainingPathIndex = walk.IsLast ? PathComplete : (uint)(walk.Element + 1),
    });

    private static BrowsePathResult Bad(StatusCode status) => new() { StatusCode = status };
}
