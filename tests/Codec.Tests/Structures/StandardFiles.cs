using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Gateway.Codec.Tests.Structures;

/// <summary>
/// Finds the standard's own files, which are not part of the repository: the npm package of the interop peers has
/// 1.05.07, the folder <c>shared/standard</c> beside the repository has 1.05.04 and the ids of all service messages.
/// </summary>
internal static partial class StandardFiles
{
    private const string Package = "tests/Interop/peers/node_modules/node-opcua-nodesets/nodesets";

    public static string? NewTypes { get; } = Find($"{Package}/Opc.Ua.Types.bsd");

    public static string? OldTypes { get; } = Find("shared/standard/Opc.Ua.Types.bsd");

    public static string? NodeSet { get; } = Find($"{Package}/Opc.Ua.NodeSet2.xml");

    private static string? NodeIds { get; } = Find("shared/standard/NodeIds.csv");

    /// <summary>Name of the type to its DataType and binary encoding id, from every file that is there.</summary>
    public static Dictionary<string, (uint DataType, uint Encoding)> LoadIds()
    {
        var dataTypes = new Dictionary<string, uint>();
        var encodings = new Dictionary<string, uint>();
        if (NodeIds is not null)
            AddSymbols(dataTypes, encodings);
        if (NodeSet is not null)
            AddNodes(dataTypes, encodings);
        return dataTypes.Where(t => encodings.ContainsKey(t.Key))
            .ToDictionary(t => t.Key, t => (t.Value, encodings[t.Key]));
    }

    /// <summary>Node class and symbol to the identifier, of every row of the standard's table; null: it is not here.
    /// </summary>
    public static Dictionary<(string Class, string Symbol), uint>? LoadNodeIds() => NodeIds is null
        ? null
        : File.ReadLines(NodeIds).Select(line => line.Trim().Split(','))
            .ToDictionary(row => (row[2], row[0]), row => uint.Parse(row[1]));

    private static void AddSymbols(Dictionary<string, uint> dataTypes, Dictionary<string, uint> encodings)
    {
        foreach (var row in File.ReadLines(NodeIds!).Select(line => line.Trim().Split(',')))
        {
            if (row[2] == "DataType")
                dataTypes[row[0]] = uint.Parse(row[1]);
            if (row[0].EndsWith("_Encoding_DefaultBinary", StringComparison.Ordinal))
                encodings[row[0][..^"_Encoding_DefaultBinary".Length]] = uint.Parse(row[1]);
        }
    }

    private static void AddNodes(Dictionary<string, uint> dataTypes, Dictionary<string, uint> encodings)
    {
        var nodes = XDocument.Load(NodeSet!).Root!.Elements().Where(e => e.Attribute("NodeId") is not null).ToList();
        var names = nodes.Where(e => e.Name.LocalName == "UADataType")
            .ToDictionary(e => (string)e.Attribute("NodeId")!, e => (string)e.Attribute("BrowseName")!);
        foreach (var (id, name) in names)
            dataTypes[name] = uint.Parse(NumericId().Match(id).Groups[1].Value);
        foreach (var node in nodes.Where(e => (string?)e.Attribute("BrowseName") == "Default Binary"))
        {
            var source = node.Descendants()
                .FirstOrDefault(e => (string?)e.Attribute("ReferenceType") == "HasEncoding")?.Value;
            if (source is not null && names.TryGetValue(source, out var name))
                encodings[name] = uint.Parse(NumericId().Match((string)node.Attribute("NodeId")!).Groups[1].Value);
        }
    }

    private static string? Find(string relative)
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            var path = Path.Combine(folder.FullName, relative);
            if (File.Exists(path))
                return path;
        }

        return null;
    }

    [GeneratedRegex("^i=([0-9]+)$")]
    private static partial Regex NumericId();
}
