using System.Xml.Linq;
using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Import;

/// <summary>A node as a file gives it: parts that depend on other nodes (definition, value) are not resolved
/// yet.</summary>
internal sealed class NodeSetNode(NodeDefinition definition, int line)
{
    public NodeDefinition Definition { get; } = definition;

    public int Line { get; } = line;

    /// <summary>The own fields of a DataType.</summary>
    public OwnFields? Fields { get; init; }

    /// <summary>The element inside Value.</summary>
    public XElement? Value { get; init; }
}
