using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>A reference as a file gives it.</summary>
internal readonly record struct NodeSetReference(
    NodeId Source, NodeId ReferenceType, bool IsForward, NodeId Target, int Line);
