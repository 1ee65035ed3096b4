using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>A node to be added, with every attribute but the Value. References are added beside it. Source: Part 3 §5.
/// </summary>
public sealed record NodeDefinition
{
    public required NodeId NodeId { get; init; }

    public required NodeClass NodeClass { get; init; }

    public required QualifiedName BrowseName { get; init; }

    /// <summary>Null: the BrowseName's text without a locale.</summary>
    public LocalizedText DisplayName { get; init; }

    /// <summary>Null: the node has no Description.</summary>
    public LocalizedText Description { get; init; }

    /// <summary>Null: each text has one locale at most.</summary>
    public NodeTexts? Texts { get; init; }

    /// <summary>Variables and VariableTypes.</summary>
    public VariableFacts Variable { get; init; }

    /// <summary>Types.</summary>
    public bool IsAbstract { get; init; }

    /// <summary>ReferenceTypes.</summary>
    public bool Symmetric { get; init; }

    /// <summary>ReferenceTypes; null: the attribute is absent.</summary>
    public LocalizedText InverseName { get; init; }

    /// <summary>Views.</summary>
    public bool ContainsNoLoops { get; init; }

    /// <summary>Objects and Views.</summary>
    public EventNotifierType EventNotifier { get; init; }

    /// <summary>The gateway itself raises events that this notifier has; others must not promise any.</summary>
    public bool HasOwnEvents { get; init; }

    /// <summary>Methods.</summary>
    public bool Executable { get; init; } = true;

    /// <summary>DataTypes: a StructureDefinition or an EnumDefinition; null: the attribute is absent.</summary>
    public DataTypeDefinition? DataTypeDefinition { get; init; }

    /// <summary>Null: the attribute is absent.</summary>
    public AccessRestrictionType? AccessRestrictions { get; init; }

    /// <summary>Null: the attribute is absent.</summary>
    public RolePermissionType[]? RolePermissions { get; init; }

    /// <summary>The source that serves the value or the call.</summary>
    public INodeSource? Source { get; init; }
}
