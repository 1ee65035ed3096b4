using Gateway.Codec.Types;
using Gateway.Events.Values;

namespace Gateway.Events.Tests.Values;

/// <summary>Equality of each pair of types that compares: equal, unequal, and a value that does not convert.</summary>
public sealed class ValueComparisonTests
{
    private static readonly BuiltInType[] Numbers =
    [
        BuiltInType.SByte, BuiltInType.Byte, BuiltInType.Int16, BuiltInType.UInt16, BuiltInType.Int32,
        BuiltInType.UInt32, BuiltInType.Int64, BuiltInType.UInt64, BuiltInType.Float, BuiltInType.Double,
    ];

    [Fact]
    public void AreEqual_EveryPairOfNumbers_ComparesTheNumbersWhereTheTableSaysSo()
    {
        foreach (var left in Numbers)
        {
            foreach (var right in Numbers)
            {
                var compares = ConversionTable.CommonType(left, right) != BuiltInType.Null;
                Assert.True(compares == ValueComparison.AreEqual(Of(7, left), Of(7, right)), $"{left} = {right}");
                Assert.False(ValueComparison.AreEqual(Of(7, left), Of(8, right)), $"{left} = {right}");
                Assert.Equal(compares, ValueComparison.TryCompare(Of(7, left), Of(8, right), out var order));
                Assert.True(!compares || order < 0, $"{left} < {right}");
            }
        }
    }

    /// <summary>All pairs of numbers compare but none: each lower type converts by itself to each higher one.</summary>
    [Fact]
    public void AreEqual_TextAndNumber_ComparesAsTheNumber()
    {
        foreach (var number in Numbers)
        {
            Assert.True(ValueComparison.AreEqual(new Variant("7"), Of(7, number)), number.ToString());
            Assert.True(ValueComparison.AreEqual(Of(7, number), new Variant("7")), number.ToString());
            Assert.False(ValueComparison.AreEqual(new Variant("8"), Of(7, number)), number.ToString());
            Assert.False(ValueComparison.AreEqual(new Variant("x"), Of(7, number)), number.ToString());
            Assert.False(ValueComparison.TryCompare(new Variant("x"), Of(7, number), out _), number.ToString());
        }
    }

    [Fact]
    public void AreEqual_OtherPairs_FollowTheTable()
    {
        var guid = new Guid("01234567-89ab-cdef-0123-456789abcdef");
        AssertEqual(new Variant(true), new Variant("true"));
        AssertEqual(new Variant(true), new Variant(1.0));
        AssertEqual(new Variant(guid), new Variant(guid.ToString()));
        AssertEqual(new Variant(new NodeId(5)), new Variant("i=5"));
        AssertEqual(new Variant(new NodeId(5)), new Variant(new ExpandedNodeId(new NodeId(5))));
        AssertEqual(new Variant(new LocalizedText("a", "de")), new Variant("a"));
        AssertEqual(new Variant(new QualifiedName("a", 2)), new Variant("a"));
        AssertEqual(new Variant(new QualifiedName("a", 2)), new Variant(new LocalizedText("a")));
        AssertEqual(new Variant(new StatusCode(0x80340000)), new Variant(0x80340000u));
        AssertEqual(new Variant(new StatusCode(0x80340000)), new Variant((ushort)0x8034));
        // Neither converts by itself.
        AssertEqual(new Variant(guid), Variant.FromByteString(guid.ToByteArray()), isEqual: false);
        AssertEqual(new Variant(new DateTime(2026, 1, 1)), new Variant("2026-01-01T00:00:00Z"), isEqual: false);
        AssertEqual(new Variant(new StatusCode(7)), new Variant((short)7), isEqual: false);
    }

    [Fact]
    public void AreEqual_ArraysOfOneElement_StandForIt()
    {
        AssertEqual(Variant.FromArray(BuiltInType.Int32, new[] { 7 }), new Variant(7.0));
        AssertEqual(Variant.FromArray(BuiltInType.Int32, new[] { 7, 8 }), new Variant(7), isEqual: false);
        AssertEqual(
            Variant.FromArray(BuiltInType.Int32, new[] { 7, 8 }),
            Variant.FromArray(BuiltInType.String, new[] { "7", "8" }));
        AssertEqual(
            Variant.FromArray(BuiltInType.Int32, new[] { 7, 8 }),
            Variant.FromArray(BuiltInType.String, new[] { "7" }), isEqual: false);
    }

    [Fact]
    public void AreEqual_Reals_CompareByValue()
    {
        AssertEqual(new Variant(0.0), new Variant(-0.0));
        AssertEqual(new Variant(double.NaN), new Variant(double.NaN), isEqual: false);
        Assert.False(ValueComparison.TryCompare(new Variant(double.NaN), new Variant(1.0), out _));
    }

    /// <summary>The standard restricts order to numbers and DateTime. Source: Part 4 §7.7.3.</summary>
    [Fact]
    public void TryCompare_TypesWithoutOrder_HaveNone()
    {
        Assert.False(ValueComparison.TryCompare(new Variant("a"), new Variant("b"), out _));
        Assert.False(ValueComparison.TryCompare(new Variant(new LocalizedText("a")), new Variant("b"), out _));
        Assert.False(ValueComparison.TryCompare(
            new Variant(new StatusCode(1)), new Variant(new StatusCode(2)), out _));
        Assert.False(ValueComparison.TryCompare(new Variant(new NodeId(1)), new Variant(new NodeId(2)), out _));
        Assert.False(ValueComparison.TryCompare(new Variant(true), new Variant(false), out _));
        Assert.False(ValueComparison.TryCompare(
            Variant.FromArray(BuiltInType.Int32, new[] { 1, 2 }), Variant.FromArray(BuiltInType.Int32, new[] { 1, 3 }),
            out _));
    }

    [Fact]
    public void TryCompare_TypesWithOrder_HaveIt()
    {
        AssertLess(new Variant(ulong.MaxValue - 1), new Variant(ulong.MaxValue));
        AssertLess(new Variant(new DateTime(2026, 1, 1)), new Variant(new DateTime(2026, 1, 2)));
        AssertLess(new Variant("7"), new Variant(8));
        AssertLess(new Variant(new StatusCode(1)), new Variant(2));
    }

    private static Variant Of(int number, BuiltInType type) =>
        ValueConversion.TryFromInteger(number, type, out var made)
            ? made
            : throw new ArgumentOutOfRangeException(nameof(type));

    private static void AssertLess(in Variant left, in Variant right)
    {
        Assert.True(ValueComparison.TryCompare(left, right, out var order));
        Assert.True(order < 0);
        Assert.True(ValueComparison.TryCompare(right, left, out order));
        Assert.True(order > 0);
    }

    private static void AssertEqual(in Variant left, in Variant right, bool isEqual = true)
    {
        Assert.Equal(isEqual, ValueComparison.AreEqual(left, right));
        Assert.Equal(isEqual, ValueComparison.AreEqual(right, left));
    }
}
