using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>A node as found at the upstream; every id and index is the upstream's.</summary>
internal sealed class BrowsedNode
{
    public required NodeId Id { get; init; }

    public required NodeClass NodeClass { get; init; }

    public required QualifiedName BrowseName { get; init; }

    public LocalizedText DisplayName { get; init; }

    /// <summary>Null for a Method and where it is on another server.</summary>
    public NodeId TypeDefinition { get; set; }

    /// <summary>Below which it was found first; null: a root, or below a node of the standard.</summary>
    public NodeId Parent { get; set; }

    /// <summary>A type, or a part of one: servers with the same model have it in common.</summary>
    public bool IsModel { get; set; }

    /// <summary>Of a part of a type: it is a declaration of what the instances have.</summary>
    public bool HasModellingRule { get; set; }

    /// <summary>Its references are in the space.</summary>
    public bool IsBrowsed { get; set; }

    /// <summary>By HasProperty.</summary>
    public bool IsProperty { get; init; }

    public LocalizedText Description { get; set; }

    /// <summary>Of a Variable; the DataType is the upstream's until it is resolved.</summary>
    public VariableFacts Facts { get; set; }

    /// <summary>Of the InputArguments and OutputArguments of a method and of the variables of types, which the gateway
    /// serves itself.</summary>
    public DataValue? FixedValue { get; set; }

    /// <summary>Of a DataType; null: it has none, or it cannot be used.</summary>
    public DataTypeDefinition? Definition { get; set; }

    /// <summary>Of a type.</summary>
    public bool IsAbstract { get; set; }

    /// <summary>The upstream has said what it is, as a type; else its attributes are the defaults.</summary>
    public bool HasTypeFacts { get; set; }

    /// <summary>Of a ReferenceType.</summary>
    public bool Symmetric { get; set; }

    /// <summary>Of a ReferenceType; null: it has none.</summary>
    public LocalizedText InverseName { get; set; }

    /// <summary>Of an Object or a View: it has events.</summary>
    public bool IsNotifier { get; set; }

    /// <summary>Of a Method.</summary>
    public bool Executable { get; set; } = true;
}
