using Gateway.Codec.Json;
using Gateway.Codec.Json.Definitions;

namespace Gateway.AddressSpace.Nodes;

/// <summary>The structures that a node table describes, for JSON: the declared ones, and those that only a
/// DataTypeDefinition defines. Each is made when it is first asked for; all are made anew when DataTypes have changed.
/// Threads: any.</summary>
public sealed class TableStructures(NodeTable table)
{
    private sealed record Snapshot(int Version, IJsonStructures Structures);

    private volatile Snapshot? _snapshot;

    /// <summary>By the DataTypes that there are now: the same object as long as they stay as they are.</summary>
    public IJsonStructures Current
    {
        get
        {
            var version = table.DataTypesVersion;
            if (_snapshot is { } snapshot && snapshot.Version == version)
                return snapshot.Structures;
            var structures = new DefinedStructures(new TableDefinitions(table));
            _snapshot = new Snapshot(version, structures);
            return structures;
        }
    }
}
