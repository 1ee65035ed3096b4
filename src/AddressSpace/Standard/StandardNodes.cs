using System.Reflection;
using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Standard;

/// <summary>
/// The standard's own nodes (1.05.07) from the committed table <c>StandardNodes.txt</c>, which tools/NodeSetCompiler
/// makes. Their values, where constant, go to the store.
/// </summary>
public static class StandardNodes
{
    private const string Resource = "Gateway.AddressSpace.Standard.StandardNodes.txt";

    /// <summary>Into an empty table; every node is served by one <see cref="StoreSource"/>.</summary>
    public static void Load(NodeTable nodes, ValueStore values) =>
        Load(nodes, values, new StoreSource(values, TimeProvider.System));

    /// <param name="source">Serves the values; a part that computes some of them live takes those over with
    /// <see cref="NodeTable.SetSource"/>.</param>
    public static void Load(NodeTable nodes, ValueStore values, INodeSource source)
    {
        using var stream = Assembly.GetExecutingAssembly().GetManifestResourceStream(Resource)
            ?? throw new InvalidOperationException("The build left out the standard's nodes.");
        using var reader = new StreamReader(stream, Encoding.UTF8);
        Load(reader, nodes, values, source);
    }

    internal static void Load(TextReader text, NodeTable nodes, ValueStore values, INodeSource source)
    {
        var batch = new NodeBatch();
        var constants = new List<(uint Id, Variant Value)>();
        var lines = new FactsReader(source, batch, constants);
        while (text.ReadLine() is { } line)
            lines.ReadLine(line);
        if (nodes.Apply(batch) > 0)
            throw new FormatException("The table of the standard's nodes has references to nowhere.");
        var changes = values.BeginBatch();
        foreach (var (id, value) in constants)
            changes.Set(nodes.Find(new NodeId(id)), new DataValue(value));
        changes.Commit();
    }
}
