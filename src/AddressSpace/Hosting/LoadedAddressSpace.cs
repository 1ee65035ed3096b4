using Gateway.AddressSpace.Import;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;

namespace Gateway.AddressSpace.Hosting;

/// <summary>The nodes and values of the process, with the standard's nodes and those of the NodeSet files in them.
/// Errors of the constructor: <see cref="InvalidOperationException"/> that begins with the key.</summary>
public sealed class LoadedAddressSpace
{
    public LoadedAddressSpace(AddressSpaceOptions options, TimeProvider time)
    {
        foreach (var uri in options.Namespaces)
            Nodes.Namespaces.GetOrAdd(uri);
        Values = new ValueStore(time);
        var store = new StoreSource(Values, time);
        StandardNodes.Load(Nodes, Values, store);
        if (options.NodeSetsPath.Length > 0)
            NodeSets = Load(
                options.NodeSetsPath, new NodeSetImporter(Nodes, Values, store, NodeSetLimits.Default));
    }

    public NodeTable Nodes { get; } = new();

    public ValueStore Values { get; }

    public IReadOnlyList<NodeSetResult> NodeSets { get; } = [];

    private static IReadOnlyList<NodeSetResult> Load(string path, NodeSetImporter importer)
    {
        try
        {
            return importer.LoadFolder(Path.GetFullPath(path));
        }
        catch (Exception error) when (error is NodeSetException or IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException($"NodeSets:Path: {error.Message}", error);
        }
    }
}
