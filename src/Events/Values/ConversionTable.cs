using Gateway.Codec.Types;
using T = Gateway.Codec.Types.BuiltInType;

namespace Gateway.Events.Values;

/// <summary>The standard's tables of precedence and of conversions. A type that is missing there (DateTime, ByteString,
/// XmlElement, structures) never converts by itself. Source: Part 4 §7.7.3, Tables 125 to 127.</summary>
internal static class ConversionTable
{
    private const int Types = (int)T.DiagnosticInfo + 1;

    /// <summary>Highest first: of two types the lower one is converted.</summary>
    private static readonly BuiltInType[] Precedence =
    [
        T.Double, T.Float, T.Int64, T.UInt64, T.Int32, T.UInt32, T.StatusCode, T.Int16, T.UInt16, T.SByte,
        T.Byte, T.Boolean, T.Guid, T.String, T.ExpandedNodeId,
        T.NodeId, T.LocalizedText, T.QualifiedName,
    ];

    private static readonly int[] Ranks = MakeRanks();
    private static readonly ConversionKind[] Kinds = MakeKinds();

    public static ConversionKind KindOf(BuiltInType from, BuiltInType to) =>
        (int)from < Types && (int)to < Types ? Kinds[((int)from * Types) + (int)to] : ConversionKind.None;

    /// <summary>The type in which the two compare; Null: there is none.</summary>
    public static BuiltInType CommonType(BuiltInType left, BuiltInType right)
    {
        if (left == right)
            return left;
        var (from, to) = Ranks[(int)left] < Ranks[(int)right] ? (right, left) : (left, right);
        return KindOf(from, to) == ConversionKind.Implicit ? to : T.Null;
    }

    private static int[] MakeRanks()
    {
        var ranks = new int[Types];
        Array.Fill(ranks, int.MaxValue);
        for (var i = 0; i < Precedence.Length; i++)
            ranks[(int)Precedence[i]] = i;
        return ranks;
    }

    private static ConversionKind[] MakeKinds()
    {
        var kinds = new ConversionKind[Types * Types];
        BuiltInType[] numbers =
        [
            T.SByte, T.Byte, T.Int16, T.UInt16, T.Int32, T.UInt32, T.Int64, T.UInt64, T.Float, T.Double,
        ];
        Add(kinds, T.Boolean, numbers, [T.String]);
        Add(kinds, T.Byte, Without(numbers, T.Byte), [T.Boolean, T.String]);
        Add(kinds, T.SByte, Without(numbers, T.SByte, T.Byte),
            [T.Boolean, T.Byte, T.String]);
        Add(kinds, T.Int16, [T.Int32, T.Int64, T.UInt32, T.UInt64, T.Float, T.Double],
            [T.Boolean, T.SByte, T.Byte, T.UInt16, T.String]);
        Add(kinds, T.UInt16, [T.Int16, T.Int32, T.Int64, T.UInt32, T.UInt64, T.StatusCode, T.Float, T.Double],
            [T.Boolean, T.SByte, T.Byte, T.String]);
        Add(kinds, T.Int32, [T.Int64, T.UInt64, T.Float, T.Double],
            [T.Boolean, T.SByte, T.Byte, T.Int16, T.UInt16, T.UInt32, T.StatusCode,
                T.String]);
        Add(kinds, T.UInt32, [T.Int32, T.Int64, T.UInt64, T.Float, T.Double],
            [T.Boolean, T.SByte, T.Byte, T.Int16, T.UInt16, T.StatusCode,
                T.String]);
        Add(kinds, T.Int64, [T.Float, T.Double],
            [T.Boolean, T.SByte, T.Byte, T.Int16, T.Int32, T.UInt16, T.UInt32, T.UInt64,
                T.StatusCode, T.String]);
        Add(kinds, T.UInt64, [T.Int64, T.Float, T.Double],
            [T.Boolean, T.SByte, T.Byte, T.Int16, T.Int32, T.UInt16, T.UInt32,
                T.StatusCode, T.String]);
        Add(kinds, T.Float, [T.Double],
            [T.Boolean, .. Without(numbers, T.Float, T.Double), T.String]);
        Add(kinds, T.Double, [],
            [T.Boolean, .. Without(numbers, T.Double), T.String]);
        Add(kinds, T.StatusCode, [T.Int32, T.Int64, T.UInt32, T.UInt64], [T.UInt16]);
        Add(kinds, T.String, [T.Boolean, .. numbers, T.Guid],
            [T.DateTime, T.NodeId, T.ExpandedNodeId, T.LocalizedText,
                T.QualifiedName]);
        Add(kinds, T.NodeId, [T.ExpandedNodeId, T.String], []);
        Add(kinds, T.ExpandedNodeId, [T.String], [T.NodeId]);
        Add(kinds, T.LocalizedText, [T.String], []);
        Add(kinds, T.QualifiedName, [T.String, T.LocalizedText], []);
        Add(kinds, T.Guid, [], [T.String, T.ByteString]);
        Add(kinds, T.ByteString, [], [T.Guid]);
        Add(kinds, T.DateTime, [], [T.String]);
        return kinds;
    }

    private static BuiltInType[] Without(BuiltInType[] types, params ReadOnlySpan<BuiltInType> left)
    {
        var rest = new List<BuiltInType>(types);
        foreach (var type in left)
            rest.Remove(type);
        return [.. rest];
    }

    private static void Add(
        ConversionKind[] kinds, BuiltInType from, BuiltInType[] byItself, BuiltInType[] byCast)
    {
        foreach (var to in byItself)
            kinds[((int)from * Types) + (int)to] = ConversionKind.Implicit;
        foreach (var to in byCast)
            kinds[((int)from * Types) + (int)to] = ConversionKind.Explicit;
    }
}
