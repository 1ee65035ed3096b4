using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Sources.Upstreams;

/// <summary>The object of each upstream, whatever its driver: its nodes hang below it.</summary>
public static class UpstreamRoots
{
    public const string NamespaceUri = "urn:gateway:upstreams";

    /// <summary><c>s=&lt;name&gt;</c> below Objects.</summary>
    public static NodeId Add(NodeTable nodes, string name)
    {
        var index = nodes.Namespaces.GetOrAdd(NamespaceUri);
        var root = new NodeId(name, index);
        nodes.Apply(new NodeBatch().AddObject(
            root, new QualifiedName(name, index), new NodeId(StandardIds.Objects.ObjectsFolder)));
        return root;
    }
}
