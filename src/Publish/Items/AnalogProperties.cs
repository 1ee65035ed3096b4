using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Range = Gateway.Codec.Structures.Range;

namespace Gateway.Publish.Items;

/// <summary>Properties whose change sets the SemanticsChanged bit, EURange among them. Source: Part 8 §5.3.
/// </summary>
internal static class AnalogProperties
{
    private const string EURange = "EURange";

    /// <summary>A Variable has a handful of references. Bounds the work under a shard's lock (R44).</summary>
    private const int MaxReferences = 256;

    public static bool IsFollowed(QualifiedName browseName) => browseName is
    {
        NamespaceIndex: 0,
        Name: EURange or "EngineeringUnits" or "FalseState" or "TrueState" or "EnumStrings" or "EnumValues",
    };

    /// <summary>Adds the properties of a Variable that count, the first of each name; most have none.</summary>
    public static void Find(NodeTable nodes, NodeHandle node, List<NodeHandle> found)
    {
        var hasProperty = nodes.Find(new NodeId(StandardIds.ReferenceTypes.HasProperty));
        var references = nodes.References(node);
        for (var i = 0; i < Math.Min(references.Count, MaxReferences); i++)
        {
            var reference = references[i];
            if (!reference.IsForward || reference.ReferenceType != hasProperty || reference.IsExternal)
                continue;
            var name = nodes.GetBrowseName(reference.Target);
            if (IsFollowed(name) && !Contains(nodes, found, name))
                found.Add(reference.Target);
        }
    }

    /// <summary>High − Low of the Variable's EURange, 0 where it has no good value yet. False: it has no EURange.
    /// </summary>
    public static bool TryGetRangeSpan(NodeTable nodes, ValueStore store, NodeHandle node, out double span)
    {
        span = 0;
        var properties = new List<NodeHandle>();
        Find(nodes, node, properties);
        foreach (var property in properties)
        {
            if (nodes.GetBrowseName(property).Name != EURange)
                continue;
            var read = store.Contains(property) || nodes.SourceOf(property) is not { } source ||
                !source.TryRead(property, 0, out var value)
                    ? store.Read(property)
                    : value;
            span = SpanOf(read.Value);
            return true;
        }

        return false;
    }

    private static bool Contains(NodeTable nodes, List<NodeHandle> found, QualifiedName name)
    {
        foreach (var node in found)
        {
            if (nodes.GetBrowseName(node) == name)
                return true;
        }

        return false;
    }

    private static double SpanOf(in Variant value)
    {
        var range = value.AsStructure<Range>();
        var span = range is null ? 0 : Math.Abs(range.High - range.Low);
        return double.IsFinite(span) ? span : 0;
    }
}
