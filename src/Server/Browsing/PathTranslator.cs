using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Access;

namespace Gateway.Server.Browsing;

/// <summary>Follows RelativePaths. Nodes that the user may not see are not passed through (R36).
/// Source: Part 4 §5.9.4.</summary>
internal sealed class PathTranslator(NodeTable nodes, NodeAccess access, ServerLimits limits)
{
    private const uint PathComplete = uint.MaxValue;

    public BrowsePathResult Translate(Roles roles, in BrowsePath path)
    {
        var start = nodes.Find(path.StartingNode);
        if (start.IsNone || !access.IsVisible(roles, start))
            return Bad(path.StartingNode.IsNull ? StatusCodes.BadNodeIdInvalid : StatusCodes.BadNodeIdUnknown);
        if (path.RelativePath?.Elements is not { Length: > 0 } elements)
            return Bad(StatusCodes.BadNothingToDo);
        var status = Check(elements);
        if (status.IsBad)
            return Bad(status);

        var targets = new List<BrowsePathTarget>();
        List<NodeHandle> level = [start];
        var visited = 0;
        for (var i = 0; i < elements.Length && level.Count > 0; i++)
        {
            level = Step(roles, level, elements, i, targets, ref visited);
            if (visited > limits.MaxNodesPerBrowsePath)
                return Bad(StatusCodes.BadQueryTooComplex);
        }

        foreach (var node in level)
            targets.Add(new BrowsePathTarget { TargetId = nodes.GetNodeId(node), RemainingPathIndex = PathComplete });
        return targets.Count == 0
            ? Bad(StatusCodes.BadNoMatch)
            : new BrowsePathResult { Targets = [.. targets] };
    }

    private StatusCode Check(RelativePathElement[] elements)
    {
        for (var i = 0; i < elements.Length; i++)
        {
            if (elements[i].TargetName.IsNull && i < elements.Length - 1)
                return StatusCodes.BadBrowseNameInvalid;
            var type = elements[i].ReferenceTypeId;
            if (!type.IsNull && nodes.GetNodeClass(nodes.Find(type)) != NodeClass.ReferenceType)
                return StatusCodes.BadReferenceTypeIdInvalid;
        }

        return StatusCode.Good;
    }

    /// <summary>The nodes one element further. A target on another server ends its branch there and says which elements
    /// are left.</summary>
    private List<NodeHandle> Step(
        Roles roles, List<NodeHandle> level, RelativePathElement[] elements, int index,
        List<BrowsePathTarget> targets, ref int visited)
    {
        var element = elements[index];
        var filter = new BrowseFilter(
            element.IsInverse ? BrowseDirection.Inverse : BrowseDirection.Forward,
            nodes.Find(element.ReferenceTypeId), element.IncludeSubtypes, 0, BrowseResultMask.None);
        var next = new List<NodeHandle>();
        var seen = new HashSet<NodeHandle>();
        foreach (var node in level)
        {
            foreach (var reference in nodes.References(node))
            {
                if (++visited > limits.MaxNodesPerBrowsePath)
                    return next;
                if (!filter.Matches(nodes, reference))
                    continue;
                if (reference.IsExternal)
                    AddExternal(reference.ExternalTarget, elements, index, targets);
                else if (IsTarget(roles, reference.Target, element.TargetName) && seen.Add(reference.Target))
                    next.Add(reference.Target);
            }
        }

        return next;
    }

    /// <summary>Its name is not known here: all elements from this one on are left, unless this was to match any name.
    /// </summary>
    private static void AddExternal(
        ExpandedNodeId target, RelativePathElement[] elements, int index, List<BrowsePathTarget> targets)
    {
        var isLast = index == elements.Length - 1;
        targets.Add(new BrowsePathTarget
        {
            TargetId = target,
            RemainingPathIndex = isLast ? PathComplete : (uint)(index + 1),
        });
    }

    private bool IsTarget(Roles roles, NodeHandle target, QualifiedName name) =>
        nodes.GetNodeClass(target) != NodeClass.Unspecified && access.IsVisible(roles, target) &&
        (name.IsNull || nodes.GetBrowseName(target) == name);

    private static BrowsePathResult Bad(StatusCode status) => new() { StatusCode = status };
}
