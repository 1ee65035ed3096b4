using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>A reference to be added: either end may come with the same batch.</summary>
internal readonly record struct BatchReference(
    NodeId Source, NodeId ReferenceType, bool IsForward, ExpandedNodeId Target);
