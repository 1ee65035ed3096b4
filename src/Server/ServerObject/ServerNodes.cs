using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Diagnostics;

namespace Gateway.Server.ServerObject;

/// <summary>Walks the Server object, so that no variable below it is left without a value.</summary>
internal static class ServerNodes
{
    private const int MaxNodes = 100_000;

    /// <summary>Gives Variables without a value the empty value of their type, so that a Read returns that and not an
    /// error.</summary>
    public static void FillGaps(NodeTable nodes, ValueStore values, DateTime now)
    {
        foreach (var node in Below(nodes))
        {
            if (nodes.GetNodeClass(node) != NodeClass.Variable ||
                nodes.SourceOf(node) is LiveServerObject or DiagnosticsSource)
                continue;
            if (values.Acquire(node) is { } value)
                value.Release();
            else
                values.Set(node, new DataValue(EmptyOf(nodes.GetVariableFacts(node)), StatusCode.Good, now, now));
        }
    }

    private static HashSet<NodeHandle> Below(NodeTable nodes)
    {
        var aggregates = nodes.Find(new NodeId(StandardIds.ReferenceTypes.Aggregates));
        var found = new HashSet<NodeHandle>();
        var open = new Queue<NodeHandle>();
        open.Enqueue(nodes.Find(new NodeId(StandardIds.Objects.Server)));
        while (open.TryDequeue(out var node) && found.Count < MaxNodes)
        {
            if (node.IsNone || !found.Add(node))
                continue;
            foreach (var reference in nodes.References(node))
            {
                if (reference.IsForward && nodes.IsSubtypeOf(reference.ReferenceType, aggregates))
                    open.Enqueue(reference.Target);
            }
        }

        return found;
    }

    private static Variant EmptyOf(in VariableFacts facts)
    {
        if (facts.ValueRank >= 0)
            return EmptyArray(facts.BuiltInType);
        return facts.BuiltInType switch
        {
            BuiltInType.Boolean => new Variant(false),
            BuiltInType.SByte => new Variant((sbyte)0),
            BuiltInType.Byte => new Variant((byte)0),
            BuiltInType.Int16 => new Variant((short)0),
            BuiltInType.UInt16 => new Variant((ushort)0),
            BuiltInType.Int32 => new Variant(0),
            BuiltInType.UInt32 => new Variant(0u),
            BuiltInType.Int64 => new Variant(0L),
            BuiltInType.UInt64 => new Variant(0UL),
            BuiltInType.Float => new Variant(0f),
            BuiltInType.Double => new Variant(0d),
            BuiltInType.DateTime => new Variant(DateTime.MinValue),
            BuiltInType.String => new Variant(string.Empty),
            BuiltInType.ByteString => Variant.FromByteString([]),
            BuiltInType.Guid => new Variant(Guid.Empty),
            BuiltInType.NodeId => new Variant(NodeId.Null),
            BuiltInType.ExpandedNodeId => new Variant(default(ExpandedNodeId)),
            BuiltInType.StatusCode => new Variant(StatusCode.Good),
            BuiltInType.ExtensionObject => new Variant(default(ExtensionObject)),
            BuiltInType.LocalizedText => new Variant(default(LocalizedText)),
            BuiltInType.QualifiedName => new Variant(default(QualifiedName)),
            _ => default,
        };
    }

    private static Variant EmptyArray(BuiltInType type) => type switch
    {
        BuiltInType.String => Variant.FromArray(type, Array.Empty<string>()),
        BuiltInType.NodeId => Variant.FromArray(type, Array.Empty<NodeId>()),
        BuiltInType.ExtensionObject => Variant.FromArray(type, Array.Empty<ExtensionObject>()),
        BuiltInType.QualifiedName => Variant.FromArray(type, Array.Empty<QualifiedName>()),
        BuiltInType.LocalizedText => Variant.FromArray(type, Array.Empty<LocalizedText>()),
        BuiltInType.UInt32 => Variant.FromArray(type, Array.Empty<uint>()),
        BuiltInType.Int32 => Variant.FromArray(type, Array.Empty<int>()),
        BuiltInType.Byte => Variant.FromArray(type, Array.Empty<byte>()),
        BuiltInType.Double => Variant.FromArray(type, Array.Empty<double>()),
        _ => default,
    };
}
