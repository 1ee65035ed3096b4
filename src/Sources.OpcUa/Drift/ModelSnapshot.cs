using System.Globalization;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;

namespace Gateway.Sources.OpcUa.Drift;

/// <summary>The nodes of one browse in words that hold over restarts: namespaces by URI, never by index. Owner: one
/// comparison.</summary>
internal sealed class ModelSnapshot(BrowsedSpace space, string[] uris)
{
    private const int LongestName = 60;

    private static readonly NodeId AnyType = new(StandardIds.DataTypes.BaseDataType);

    private readonly NodePaths _paths = new(space, uris);

    public string[] Uris => uris;

    /// <summary>Instances, and types; not the parts of a type, which go with it.</summary>
    public IEnumerable<BrowsedNode> Guarded => space.Nodes.Values.Where(static node => !node.IsModel || IsType(node));

    /// <summary>Null: it is not there.</summary>
    public BrowsedNode? Find(string id) =>
        NodeIdText.TryParse(id, uris, out var found) ? space.Nodes.GetValueOrDefault(found) : null;

    public string IdOf(NodeId id) => NodeIdText.Format(id, uris);

    public string PathOf(BrowsedNode node) => node.IsModel ? "" : _paths.DigestOf(node);

    public string PathInWords(BrowsedNode node) => _paths.TextOf(node);

    public RememberedNode Remember(BrowsedNode node) =>
        new(IdOf(node.Id), NameOf(node), PathOf(node), FactsOf(node));

    private static string NameOf(BrowsedNode node)
    {
        var name = node.BrowseName.Name ?? "";
        return name.Length <= LongestName ? name : name[..LongestName];
    }

    private static bool IsType(BrowsedNode node) => node.NodeClass is NodeClass.ObjectType or NodeClass.VariableType
        or NodeClass.DataType or NodeClass.ReferenceType;

    private string FactsOf(BrowsedNode node) => node.NodeClass switch
    {
        // Also where the upstream did not say, this time.
        NodeClass.Variable when node.Facts.DataType.IsNull || node.Facts.DataType == AnyType => "",
        NodeClass.Variable => string.Create(
            CultureInfo.InvariantCulture, $"Variable {IdOf(node.Facts.DataType)} {node.Facts.ValueRank}"),
        NodeClass.Object when !node.TypeDefinition.IsNull => $"Object {IdOf(node.TypeDefinition)}",
        NodeClass.DataType when node.Definition is { } definition =>
            $"DataType {DigestOf(definition).ToString("x16", CultureInfo.InvariantCulture)}",
        NodeClass.DataType => "",
        _ => node.NodeClass.ToString(),
    };

    /// <summary>Of what the bytes of a value mean.</summary>
    private ulong DigestOf(DataTypeDefinition definition)
    {
        var digest = TextDigest.Seed;
        if (definition is StructureDefinition structure)
        {
            digest = TextDigest.Add(digest, structure.StructureType.ToString());
            foreach (var field in structure.Fields ?? [])
                digest = TextDigest.Add(digest, string.Create(
                    CultureInfo.InvariantCulture,
                    $"{field.Name} {IdOf(field.DataType)} {field.ValueRank} {field.IsOptional}"));
        }
        else if (definition is EnumDefinition names)
        {
            foreach (var field in names.Fields ?? [])
                digest = TextDigest.Add(
                    digest, string.Create(CultureInfo.InvariantCulture, $"{field.Value} {field.Name}"));
        }

        return digest;
    }
}
