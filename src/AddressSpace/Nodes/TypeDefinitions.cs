using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>The type definitions of Objects and Variables. Source: Part 3 §7.13.</summary>
public static class TypeDefinitions
{
    private static readonly NodeId HasTypeDefinition = new(StandardIds.ReferenceTypes.HasTypeDefinition);

    /// <summary>Null for a node without one: of another class, or removed. Whether somebody may see the type is the
    /// caller's to ask.</summary>
    public static Reference? TypeDefinitionOf(this NodeTable nodes, NodeHandle node)
    {
        var hasTypeDefinition = nodes.Find(HasTypeDefinition);
        foreach (var reference in nodes.References(node))
        {
            if (reference.IsForward && reference.ReferenceType == hasTypeDefinition)
                return reference;
        }

        return null;
    }
}
