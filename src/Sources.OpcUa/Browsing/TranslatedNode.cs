using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>A node as the gateway serves it.</summary>
/// <param name="Definition">Without a source.</param>
/// <param name="Type">Its TypeDefinition, of an Object and a Variable.</param>
internal readonly record struct TranslatedNode(NodeDefinition Definition, NodeId Type)
{
    public NodeId NodeId => Definition.NodeId;
}
