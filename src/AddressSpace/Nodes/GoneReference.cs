namespace Gateway.AddressSpace.Nodes;

/// <summary>A forward reference to be removed; both ends stay.</summary>
internal readonly record struct GoneReference(NodeHandle Source, NodeHandle ReferenceType, NodeHandle Target);
