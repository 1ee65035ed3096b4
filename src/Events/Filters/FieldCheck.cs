using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Filters;

/// <summary>Checks a SimpleAttributeOperand. A gateway cannot know all types of events, nor all their fields: what it
/// does not know is no error, the field is null. Source: Part 4 §7.7.4.5, §7.22.3.</summary>
internal static class FieldCheck
{
    /// <summary>More names in a path than any model has.</summary>
    private const int MaxNames = 32;

    /// <summary>Errors: Bad_TypeDefinitionInvalid, Bad_BrowseNameInvalid, Bad_AttributeIdInvalid,
    /// Bad_IndexRangeInvalid.</summary>
    public static StatusCode Check(NodeTable nodes, SimpleAttributeOperand? clause, out FieldSelection selection)
    {
        selection = FieldSelection.Rejected;
        if (clause is null)
            return StatusCodes.BadFilterOperandInvalid;
        if (!MayBeEventType(nodes, clause.TypeDefinitionId))
            return StatusCodes.BadTypeDefinitionInvalid;
        var names = clause.BrowsePath ?? [];
        if (names.Length > MaxNames || Array.Exists(names, static name => name.IsNull))
            return StatusCodes.BadBrowseNameInvalid;
        var attribute = (AttributeId)clause.AttributeId;
        if (!MayHave(attribute, isEvent: names.Length == 0))
            return StatusCodes.BadAttributeIdInvalid;
        if (!NumericRangeText.TryParse(clause.IndexRange, out var range) ||
            (!range.IsEmpty && attribute != AttributeId.Value))
            return StatusCodes.BadIndexRangeInvalid;
        selection = new FieldSelection(clause.TypeDefinitionId, new FieldPath(attribute, names), range, IsUsable: true);
        return StatusCode.Good;
    }

    /// <summary>The event itself is an Object; a path ends at an Object or a Variable. Source: Part 3 §5.5.1, §5.6.2.
    /// </summary>
    private static bool MayHave(AttributeId attribute, bool isEvent) => attribute switch
    {
        AttributeId.NodeId or AttributeId.NodeClass or AttributeId.BrowseName or AttributeId.DisplayName or
            AttributeId.Description or AttributeId.WriteMask or AttributeId.UserWriteMask or
            AttributeId.EventNotifier or AttributeId.RolePermissions or AttributeId.UserRolePermissions or
            AttributeId.AccessRestrictions => true,
        AttributeId.Value or AttributeId.DataType or AttributeId.ValueRank or AttributeId.ArrayDimensions or
            AttributeId.AccessLevel or AttributeId.UserAccessLevel or AttributeId.MinimumSamplingInterval or
            AttributeId.Historizing or AttributeId.AccessLevelEx => !isEvent,
        _ => false,
    };

    /// <summary>False for a node that is known to be something else.</summary>
    public static bool MayBeEventType(NodeTable nodes, NodeId type)
    {
        if (type.IsNull)
            return false;
        var node = nodes.Find(type);
        return node.IsNone || nodes.IsSubtypeOf(type, new NodeId(StandardIds.ObjectTypes.BaseEventType));
    }
}
