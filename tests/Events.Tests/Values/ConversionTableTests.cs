using Gateway.Codec.Types;
using Gateway.Events.Values;

namespace Gateway.Events.Tests.Values;

/// <summary>Every pair of built-in types against the standard's tables, written down again. Source: Part 4 §7.7.3,
/// Tables 125 to 127.</summary>
public sealed class ConversionTableTests
{
    private static readonly BuiltInType[] Columns =
    [
        BuiltInType.Boolean, BuiltInType.SByte, BuiltInType.Byte, BuiltInType.Int16, BuiltInType.UInt16,
        BuiltInType.Int32, BuiltInType.UInt32, BuiltInType.Int64, BuiltInType.UInt64, BuiltInType.Float,
        BuiltInType.Double, BuiltInType.String, BuiltInType.DateTime, BuiltInType.Guid, BuiltInType.ByteString,
        BuiltInType.NodeId, BuiltInType.ExpandedNodeId, BuiltInType.StatusCode, BuiltInType.LocalizedText,
        BuiltInType.QualifiedName,
    ];

    /// <summary>One row for each source, one letter for each target in the order of the columns: i by itself, e with a
    /// Cast, – never.</summary>
    private static readonly string[] Rows =
    [
        // Bo SB By 16 U6 32 U3 64 U4 Fl Do St DT Gu BS NI EN SC LT QN
        "  –  i  i  i  i  i  i  i  i  i  i  e  –  –  –  –  –  –  –  –", // Boolean
        "  e  –  e  i  i  i  i  i  i  i  i  e  –  –  –  –  –  –  –  –", // SByte
        "  e  i  –  i  i  i  i  i  i  i  i  e  –  –  –  –  –  –  –  –", // Byte
        "  e  e  e  –  e  i  i  i  i  i  i  e  –  –  –  –  –  –  –  –", // Int16
        "  e  e  e  i  –  i  i  i  i  i  i  e  –  –  –  –  –  i  –  –", // UInt16
        "  e  e  e  e  e  –  e  i  i  i  i  e  –  –  –  –  –  e  –  –", // Int32
        "  e  e  e  e  e  i  –  i  i  i  i  e  –  –  –  –  –  e  –  –", // UInt32
        "  e  e  e  e  e  e  e  –  e  i  i  e  –  –  –  –  –  e  –  –", // Int64
        "  e  e  e  e  e  e  e  i  –  i  i  e  –  –  –  –  –  e  –  –", // UInt64
        "  e  e  e  e  e  e  e  e  e  –  i  e  –  –  –  –  –  –  –  –", // Float
        "  e  e  e  e  e  e  e  e  e  e  –  e  –  –  –  –  –  –  –  –", // Double
        "  i  i  i  i  i  i  i  i  i  i  i  –  e  i  –  e  e  –  e  e", // String
        "  –  –  –  –  –  –  –  –  –  –  –  e  –  –  –  –  –  –  –  –", // DateTime
        "  –  –  –  –  –  –  –  –  –  –  –  e  –  –  e  –  –  –  –  –", // Guid
        "  –  –  –  –  –  –  –  –  –  –  –  –  –  e  –  –  –  –  –  –", // ByteString
        "  –  –  –  –  –  –  –  –  –  –  –  i  –  –  –  –  i  –  –  –", // NodeId
        "  –  –  –  –  –  –  –  –  –  –  –  i  –  –  –  e  –  –  –  –", // ExpandedNodeId
        "  –  –  –  –  e  i  i  i  i  –  –  –  –  –  –  –  –  –  –  –", // StatusCode
        "  –  –  –  –  –  –  –  –  –  –  –  i  –  –  –  –  –  –  –  –", // LocalizedText
        "  –  –  –  –  –  –  –  –  –  –  –  i  –  –  –  –  –  –  i  –", // QualifiedName
    ];

    private static readonly BuiltInType[] Precedence =
    [
        BuiltInType.Double, BuiltInType.Float, BuiltInType.Int64, BuiltInType.UInt64, BuiltInType.Int32,
        BuiltInType.UInt32, BuiltInType.StatusCode, BuiltInType.Int16, BuiltInType.UInt16, BuiltInType.SByte,
        BuiltInType.Byte, BuiltInType.Boolean, BuiltInType.Guid, BuiltInType.String, BuiltInType.ExpandedNodeId,
        BuiltInType.NodeId, BuiltInType.LocalizedText, BuiltInType.QualifiedName,
    ];

    [Fact]
    public void KindOf_EveryPair_IsTheTables()
    {
        foreach (var from in Enum.GetValues<BuiltInType>())
        {
            foreach (var to in Enum.GetValues<BuiltInType>())
                Assert.True(Expected(from, to) == ConversionTable.KindOf(from, to), $"{from} to {to}");
        }
    }

    [Fact]
    public void CommonType_EveryPair_IsTheHigherOneWhereTheLowerConvertsByItself()
    {
        foreach (var left in Enum.GetValues<BuiltInType>())
        {
            foreach (var right in Enum.GetValues<BuiltInType>())
            {
                var common = left;
                if (left != right)
                {
                    var (high, low) = RankOf(left) < RankOf(right) ? (left, right) : (right, left);
                    common = Expected(low, high) == ConversionKind.Implicit ? high : BuiltInType.Null;
                }

                Assert.True(common == ConversionTable.CommonType(left, right), $"{left} and {right}");
            }
        }
    }

    [Fact]
    public void KindOf_NumberOfNoType_IsNone() =>
        Assert.Equal(ConversionKind.None, ConversionTable.KindOf((BuiltInType)63, BuiltInType.String));

    private static int RankOf(BuiltInType type) =>
        Array.IndexOf(Precedence, type) is var rank and >= 0 ? rank : Precedence.Length;

    private static ConversionKind Expected(BuiltInType from, BuiltInType to)
    {
        var (row, column) = (Array.IndexOf(Columns, from), Array.IndexOf(Columns, to));
        if (row < 0 || column < 0)
            return ConversionKind.None;
        return Rows[row].Split(' ', StringSplitOptions.RemoveEmptyEntries)[column] switch
        {
            "i" => ConversionKind.Implicit,
            "e" => ConversionKind.Explicit,
            _ => ConversionKind.None,
        };
    }
}
