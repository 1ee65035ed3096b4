using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Operations.Attributes;

/// <summary>Checks one WriteValue. Source: Part 4 §5.11.4.</summary>
public sealed class WritePlanner(
    NodeTable nodes, NodeAccess access, ValueTypeCheck types, ValueRangeCheck ranges)
{
    /// <summary>Good: the caller passes <paramref name="write"/> to <paramref name="source"/>. Errors:
    /// Bad_NodeIdUnknown, Bad_AttributeIdInvalid, Bad_NotWritable, Bad_UserAccessDenied, Bad_SecurityModeInsufficient,
    /// Bad_IndexRangeInvalid, Bad_WriteNotSupported, Bad_TypeMismatch, Bad_OutOfRange.</summary>
    /// <param name="caller">The caller of the request.</param>
    /// <param name="value">The node, attribute and value.</param>
    /// <param name="source">Null after an error.</param>
    /// <param name="write">The write for the source.</param>
    /// <param name="units">Work units of the value's check (R44); 0 for most.</param>
    public StatusCode Plan(
        Caller caller, in WriteValue value, out INodeSource? source, out SourceWrite write, out int units)
    {
        units = 0;
        source = null;
        write = default;
        var node = nodes.Find(value.NodeId);
        var attribute = (AttributeId)value.AttributeId;
        if (node.IsNone || !access.IsVisible(caller, node))
            return StatusCodes.BadNodeIdUnknown;
        if (attribute != AttributeId.Value || nodes.GetNodeClass(node) != NodeClass.Variable)
            return RefuseAttribute(node, attribute);
        var status = access.CheckWrite(caller, node);
        if (!status.IsBad)
            status = CheckRange(value.IndexRange);
        if (status.IsBad)
            return status;

        var facts = nodes.GetVariableFacts(node);
        status = CheckQuality(facts.AccessLevel, value.Value, !string.IsNullOrEmpty(value.IndexRange));
        if (status.IsBad)
            return status;
        status = types.Check(facts, value.Value.Value, !string.IsNullOrEmpty(value.IndexRange), out var accepted);
        // A value with a bad status carries no number to check.
        if (!status.IsBad && !value.Value.Status.IsBad)
            status = ranges.Check(node, facts, accepted, ref units);
        if (status.IsBad)
            return status;
        source = nodes.SourceOf(node);
        if (source is null)
            return StatusCodes.BadNotWritable;
        var range = string.IsNullOrEmpty(value.IndexRange) ? null : value.IndexRange;
        write = new SourceWrite(node, value.Value with { Value = accepted }, range);
        return StatusCode.Good;
    }

    /// <summary>Only the Value attribute is writable.</summary>
    private StatusCode RefuseAttribute(NodeHandle node, AttributeId attribute) =>
        attribute != AttributeId.Value && !nodes.ReadAttribute(node, attribute, out _).IsBad
            ? StatusCodes.BadNotWritable
            : StatusCodes.BadAttributeIdInvalid;

    private static StatusCode CheckRange(string? range) =>
        string.IsNullOrEmpty(range) || NumericRangeText.TryParse(range, out _)
            ? StatusCodes.Good
            : StatusCodes.BadIndexRangeInvalid;

    /// <summary>A status or timestamps need the matching bits of the AccessLevel.</summary>
    private static StatusCode CheckQuality(AccessLevelExType level, in DataValue value, bool isPart)
    {
        var hasTimes = value.SourceTimestamp != default || value.ServerTimestamp != default;
        if (value.Status != StatusCode.Good && (level & AccessLevelExType.StatusWrite) == 0)
            return StatusCodes.BadWriteNotSupported;
        if (hasTimes && (level & AccessLevelExType.TimestampWrite) == 0)
            return StatusCodes.BadWriteNotSupported;
        return isPart && (level & AccessLevelExType.WriteFullArrayOnly) != 0
            ? StatusCodes.BadWriteNotSupported
            : StatusCodes.Good;
    }
}
