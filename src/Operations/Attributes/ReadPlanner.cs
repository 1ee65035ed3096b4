using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Operations.Attributes;

/// <summary>Checks one ReadValueId and finds the source of its value; allocates nothing for a plain Value. Source: Part
/// 4 §5.11.2, §7.29.</summary>
public sealed class ReadPlanner(NodeTable nodes, NodeAccess access)
{
    public ReadPlan Plan(Caller caller, in ReadValueId id)
    {
        var node = nodes.Find(id.NodeId);
        if (node.IsNone)
            return ReadPlan.Refused(StatusCodes.BadNodeIdUnknown);
        var attribute = (AttributeId)id.AttributeId;
        var status = access.CheckRead(caller, node, attribute);
        if (!status.IsBad)
            status = DataEncoding.Check(nodes, node, attribute, id.DataEncoding);
        if (status.IsBad)
            return ReadPlan.Refused(status);
        var range = default(NumericRange);
        if (!string.IsNullOrEmpty(id.IndexRange) && !NumericRangeText.TryParse(id.IndexRange, out range))
            return ReadPlan.Refused(StatusCodes.BadIndexRangeInvalid);
        return attribute == AttributeId.Value
            ? PlanValue(node, range)
            : PlanAttribute(caller, node, attribute, range);
    }

    /// <summary>Whether the caller may read the Value, and it is in the store. Where it is not, <see cref="Plan"/> says
    /// what else.</summary>
    public bool TryFindStored(Caller caller, NodeId id, out NodeHandle node)
    {
        node = nodes.Find(id);
        if (!node.IsNone && nodes.GetNodeClass(node) == NodeClass.Variable &&
            nodes.SourceOf(node) is null or StoreSource &&
            !access.CheckRead(caller, node, AttributeId.Value).IsBad)
            return true;
        node = default;
        return false;
    }

    private ReadPlan PlanValue(NodeHandle node, in NumericRange range)
    {
        switch (nodes.GetNodeClass(node))
        {
            case NodeClass.Variable:
                var source = nodes.SourceOf(node);
                return source is null or StoreSource
                    ? new ReadPlan { Kind = ReadKind.Store, Node = node, Range = range }
                    : new ReadPlan { Kind = ReadKind.Source, Node = node, Range = range, Source = source };
            default:
                return ReadPlan.Refused(StatusCodes.BadAttributeIdInvalid);
        }
    }

    private ReadPlan PlanAttribute(Caller caller, NodeHandle node, AttributeId attribute, in NumericRange range)
    {
        StatusCode status = StatusCodes.Good;
        if (!access.TryReadUserAttribute(caller, node, attribute, out var value))
            status = nodes.ReadAttribute(node, attribute, out value);
        if (!status.IsBad && !range.IsEmpty)
            status = range.Apply(value, out value);
        return status.IsBad
            ? ReadPlan.Refused(status)
            : new ReadPlan { Kind = ReadKind.Attribute, Node = node, Attribute = value };
    }
}
