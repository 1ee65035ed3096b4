using Gateway.Codec.Types;
using Gateway.Events.Values;

namespace Gateway.Events.Tests.Values;

/// <summary>What a Cast makes of each value. Source: Part 4 §7.7.3.</summary>
public sealed class ValueConversionTests
{
    private static readonly Guid Id = new("01234567-89ab-cdef-0123-456789abcdef");

    public static TheoryData<string, object?> Casts => new()
    {
        // From, its value > to: the text of the result; null: none.
        { "Boolean true > SByte", "1" },
        { "Boolean false > UInt64", "0" },
        { "Boolean true > Double", "1" },
        { "Boolean true > String", "1" },
        { "Boolean false > String", "0" },
        { "SByte -1 > Int64", "-1" },
        { "SByte -1 > UInt16", null },
        { "SByte -1 > Byte", null },
        { "SByte -1 > Boolean", "True" },
        { "Byte 0 > Boolean", "False" },
        { "Byte 200 > SByte", null },
        { "Int16 -1 > UInt32", null },
        { "Int16 300 > Byte", null },
        { "UInt16 40000 > Int16", null },
        { "UInt16 32768 > StatusCode", "Bad" },
        { "Int32 70000 > Int16", null },
        { "Int32 -2147483648 > StatusCode", "Bad" },
        { "UInt32 4294967295 > Int32", null },
        { "UInt32 4294967295 > Int64", "4294967295" },
        { "Int64 -1 > UInt64", null },
        { "Int64 9223372036854775807 > Double", "9.223372036854776E+18" },
        { "UInt64 18446744073709551615 > Int64", null },
        { "UInt64 18446744073709551615 > String", "18446744073709551615" },
        { "UInt64 18446744073709551615 > Byte", null },
        { "Float 1.5 > Double", "1.5" },
        { "Float 1.5 > Int32", "2" },
        { "Float 2.5 > Byte", "3" },
        { "Double 1.4 > Int32", "1" },
        { "Double -1.6 > Int16", "-2" },
        { "Double 1E+300 > Float", null },
        { "Double 1E+300 > Int64", null },
        { "Double NaN > Int64", null },
        { "Double NaN > Boolean", null },
        { "Double 0.5 > Boolean", "True" },
        { "Double 0.1 > String", "0.1" },
        { "StatusCode 2147483648 > UInt16", "32768" },
        { "StatusCode 2147483648 > Int32", "-2147483648" },
        { "StatusCode 2147483648 > UInt64", "2147483648" },
        { "String true > Boolean", "True" },
        { "String TRUE > Boolean", "True" },
        { "String 1 > Boolean", "True" },
        { "String false > Boolean", "False" },
        { "String 0 > Boolean", "False" },
        { "String yes > Boolean", null },
        { "String 12 > Byte", "12" },
        { "String 256 > Byte", null },
        { "String 1.5 > Double", "1.5" },
        { "String 1.6 > Int32", "2" },
        { "String x > Int32", null },
        { "String ns=1;i=5 > NodeId", "ns=1;i=5" },
        { "String nonsense > NodeId", null },
        { "String a > LocalizedText", "a" },
        { "String a > QualifiedName", "a" },
        { "String 01234567-89ab-cdef-0123-456789abcdef > Guid", "01234567-89ab-cdef-0123-456789abcdef" },
        { "String 5 > Guid", null },
        { "String 5 > ByteString", null },
    };

    [Theory]
    [MemberData(nameof(Casts))]
    public void TryCast_Scalar_GivesTheValueOrNone(string cast, object? expected)
    {
        var parts = cast.Split(' ');
        var (from, to) = (Enum.Parse<BuiltInType>(parts[0]), Enum.Parse<BuiltInType>(parts[3]));
        var value = Make(from, parts[1]);

        var isCast = ValueConversion.TryCast(value, to, out var result);

        Assert.Equal(expected is not null, isCast);
        Assert.Equal(expected ?? "null", result.ToString());
        Assert.Equal(isCast ? to : BuiltInType.Null, result.Type);
    }

    [Fact]
    public void TryCast_OtherTypes_GiveTheValueOrNone()
    {
        AssertCast(new Variant(new NodeId("x", 3)), BuiltInType.String, new Variant("ns=3;s=x"));
        AssertCast(
            new Variant(new NodeId(7)), BuiltInType.ExpandedNodeId, new Variant(new ExpandedNodeId(new NodeId(7))));
        AssertCast(new Variant(new ExpandedNodeId(new NodeId(7))), BuiltInType.NodeId, new Variant(new NodeId(7)));
        AssertCast(new Variant(new ExpandedNodeId(new NodeId(7), "urn:x")), BuiltInType.NodeId, Variant.Null);
        AssertCast(
            new Variant(new ExpandedNodeId(new NodeId(7), "urn:x")), BuiltInType.String, new Variant("nsu=urn:x;i=7"));
        AssertCast(new Variant(new LocalizedText("a", "de")), BuiltInType.String, new Variant("a"));
        AssertCast(new Variant(new QualifiedName("a", 3)), BuiltInType.String, new Variant("a"));
        AssertCast(
            new Variant(new QualifiedName("a", 3)), BuiltInType.LocalizedText, new Variant(new LocalizedText("a")));
        AssertCast(new Variant(Id), BuiltInType.String, new Variant(Id.ToString()));
        AssertCast(new Variant(Id), BuiltInType.ByteString, Variant.FromByteString(Id.ToByteArray()));
        AssertCast(Variant.FromByteString(Id.ToByteArray()), BuiltInType.Guid, new Variant(Id));
        AssertCast(Variant.FromByteString([1, 2]), BuiltInType.Guid, Variant.Null);
        var time = new DateTime(2026, 11, 25, 1, 2, 3, 4, DateTimeKind.Utc);
        AssertCast(new Variant(time), BuiltInType.String, new Variant("2026-11-25T01:02:03.004Z"));
        AssertCast(new Variant("2026-11-25T01:02:03.004Z"), BuiltInType.DateTime, new Variant(time));
        AssertCast(new Variant("yesterday"), BuiltInType.DateTime, Variant.Null);
    }

    [Fact]
    public void TryCast_Array_ConvertsEachElementOrNone()
    {
        AssertCast(
            Variant.FromArray(BuiltInType.String, new[] { "1", "2" }), BuiltInType.Int32,
            Variant.FromArray(BuiltInType.Int32, new[] { 1, 2 }));
        AssertCast(Variant.FromArray(BuiltInType.String, new[] { "1", "x" }), BuiltInType.Int32, Variant.Null);
    }

    [Fact]
    public void TryCast_SameType_StaysAsItIs() =>
        AssertCast(Variant.FromByteString([1]), BuiltInType.ByteString, Variant.FromByteString([1]));

    private static void AssertCast(in Variant value, BuiltInType to, in Variant expected)
    {
        var isCast = ValueConversion.TryCast(value, to, out var result);
        Assert.Equal(!expected.IsNull, isCast);
        Assert.Equal(expected, result);
    }

    private static Variant Make(BuiltInType type, string text)
    {
        if (type == BuiltInType.StatusCode)
            return new Variant(new StatusCode(uint.Parse(text)));
        if (type == BuiltInType.Boolean)
            return new Variant(bool.Parse(text));
        if (type is BuiltInType.Float)
            return new Variant(float.Parse(text));
        if (type is BuiltInType.Double)
            return new Variant(double.Parse(text));
        return type == BuiltInType.String || !ValueConversion.TryFromInteger(Int128.Parse(text), type, out var number)
            ? new Variant(text)
            : number;
    }
}
