using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>A forward reference at the upstream. A null <see cref="Source"/> is the upstream's own object.
///</summary>
internal readonly record struct BrowsedReference(NodeId Source, NodeId ReferenceType, NodeId Target);
