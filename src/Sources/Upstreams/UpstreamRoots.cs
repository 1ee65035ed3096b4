using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.Upstreams;

/// <summary>The object of each upstream, whatever its driver: its nodes hang below it.</summary>
public static class UpstreamRoots
{
    public const string NamespaceUri = "urn:gateway:upstreams";

    /// <summary><c>s=&lt;name&gt;</c> below Objects. It is a notifier below the Server object: the gateway tells by its
    /// events that the upstream is lost or back.</summary>
    public static NodeId Add(NodeTable nodes, string name)
    {
        var index = nodes.Namespaces.GetOrAdd(NamespaceUri);
        var root = new NodeId(name, index);
        var node = new NodeDefinition
        {
            NodeId = root,
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName(name, index),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            HasOwnEvents = true,
        };
        nodes.Apply(new NodeBatch().AddNode(node)
            .AddReference(
                root, new NodeId(StandardIds.ReferenceTypes.HasTypeDefinition),
                new NodeId(StandardIds.ObjectTypes.FolderType))
            .AddReference(
                new NodeId(StandardIds.Objects.ObjectsFolder), new NodeId(StandardIds.ReferenceTypes.Organizes), root)
            .AddReference(
                new NodeId(StandardIds.Objects.Server), new NodeId(StandardIds.ReferenceTypes.HasNotifier), root));
        return root;
    }
}
