using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using static Gateway.Events.Tests.Support.EventSample;

namespace Gateway.Events.Tests.Filters;

/// <summary>Each operator with three-valued logic, through a compiled filter. NULL is told from FALSE by a Not, which
/// keeps it. Source: Part 4 §7.7.3, Tables 122 and 123.</summary>
public sealed class WhereOperatorsTests
{
    /// <summary>T, F, N, and n for an operand that is no Boolean.</summary>
    [Theory]
    [InlineData(FilterOperator.And, "TT=T TF=F TN=N FT=F FF=F FN=F NT=N NF=F NN=N Tn=N Fn=F nn=N")]
    [InlineData(FilterOperator.Or, "TT=T TF=T TN=T FT=T FF=F FN=N NT=T NF=N NN=N Tn=T Fn=N nn=N")]
    [InlineData(FilterOperator.Not, "T=F F=T N=N n=N")]
    [InlineData(FilterOperator.IsNull, "T=F F=F N=T n=F")]
    [InlineData(FilterOperator.Equals, "TT=T TF=F FF=T TN=N NT=N NN=N")]
    [InlineData(FilterOperator.InList, "TT=T TF=F TN=N NT=N NN=N TNT=T TFF=F TFN=N N=F T=F")]
    public void Evaluate_TruthTable_EveryRow(FilterOperator kind, string rows)
    {
        foreach (var row in rows.Split(' '))
        {
            var (operands, expected) = (row[..row.IndexOf('=')], row[^1]);
            var values = operands.Select(ValueOf).ToArray();
            Assert.True(expected == Result(kind, values), $"{kind} {row}");
        }
    }

    [Theory]
    [InlineData(FilterOperator.GreaterThan, "1>2=F 2>1=T 1>1=F")]
    [InlineData(FilterOperator.LessThan, "1>2=T 2>1=F 1>1=F")]
    [InlineData(FilterOperator.GreaterThanOrEqual, "1>2=F 2>1=T 1>1=T")]
    [InlineData(FilterOperator.LessThanOrEqual, "1>2=T 2>1=F 1>1=T")]
    public void Evaluate_Order_EveryCase(FilterOperator kind, string rows)
    {
        foreach (var row in rows.Split(' '))
            Assert.True(row[^1] == Result(kind, new Variant(row[0] - '0'), new Variant((double)(row[2] - '0'))), row);
        Assert.Equal('N', Result(kind, Variant.Null, new Variant(1)));
        Assert.Equal('N', Result(kind, new Variant(1), Variant.Null));
        // No common type, or no order: FALSE, which a Not turns round.
        Assert.Equal('F', Result(kind, new Variant(1), new Variant("x")));
        Assert.Equal('F', Result(kind, new Variant(new NodeId(1)), new Variant(new NodeId(1))));
        Assert.Equal('F', Result(kind, new Variant(double.NaN), new Variant(1.0)));
    }

    [Fact]
    public void Evaluate_Between_IsBothOrders()
    {
        Assert.Equal("TTTFF", string.Concat(new[] { 1, 2, 3, 0, 4 }.Select(value =>
            Result(FilterOperator.Between, new Variant(value), new Variant(1), new Variant(3)))));
        Assert.Equal('N', Result(FilterOperator.Between, Variant.Null, new Variant(1), new Variant(3)));
        Assert.Equal('N', Result(FilterOperator.Between, new Variant(2), Variant.Null, new Variant(3)));
        Assert.Equal('F', Result(FilterOperator.Between, new Variant(4), Variant.Null, new Variant(3)));
        Assert.Equal('N', Result(FilterOperator.Between, new Variant(2), new Variant(1), Variant.Null));
        Assert.Equal('F', Result(FilterOperator.Between, new Variant(0), new Variant(1), Variant.Null));
        Assert.Equal('F', Result(FilterOperator.Between, new Variant(2), new Variant("x"), new Variant(3)));
    }

    [Fact]
    public void Evaluate_InList_LooksAtEveryEntry()
    {
        Assert.Equal('T', Result(FilterOperator.InList, new Variant("b"), new Variant("a"), new Variant("b")));
        Assert.Equal('T', Result(FilterOperator.InList, new Variant(2), new Variant("x"), new Variant("2")));
        Assert.Equal('F', Result(FilterOperator.InList, new Variant("c"), new Variant("a"), new Variant("b")));
    }

    [Fact]
    public void Evaluate_Like_NeedsTexts()
    {
        Assert.Equal('T', Result(FilterOperator.Like, new Variant("Pump 7"), new Variant("Pump%")));
        Assert.Equal('T', Result(FilterOperator.Like, new Variant(new LocalizedText("Pump", "de")), new Variant("P%")));
        Assert.Equal('T', Result(FilterOperator.Like, new Variant(new NodeId("x", 2)), new Variant("ns=2;%")));
        Assert.Equal('F', Result(FilterOperator.Like, new Variant(7), new Variant("7")));
        Assert.Equal('N', Result(FilterOperator.Like, Variant.Null, new Variant("%")));
        Assert.Equal('N', Result(FilterOperator.Like, new Variant((string?)null), new Variant("%")));
        Assert.Equal('N', Result(
            FilterOperator.Like, new Variant(new string('a', 50_000)), new Variant("%" + new string('a', 20) + "b")));
    }

    [Fact]
    public void Evaluate_Cast_GivesTheValueOrNull()
    {
        var cast = Element(FilterOperator.Cast, Literal(new Variant("7")), Literal(new Variant(new NodeId(6))));
        Assert.True(Passes(Where(Element(FilterOperator.Equals, Element(1), Literal(new Variant(7))), cast)));
        Assert.Equal('N', Result(FilterOperator.Cast, new Variant("x"), new Variant(new NodeId(6))));
        Assert.Equal('N', Result(FilterOperator.Cast, new Variant("7"), new Variant(new NodeId(22))));
        Assert.Equal('N', Result(FilterOperator.Cast, new Variant("7"), new Variant(new NodeId(6, 2))));
        Assert.Equal('N', Result(FilterOperator.Cast, new Variant("7"), new Variant(6)));
        Assert.Equal('T', Result(FilterOperator.Cast, new Variant("1"), new Variant(new NodeId(1))));
    }

    [Fact]
    public void Evaluate_Bitwise_IsOfTheLargerType()
    {
        AssertBits(FilterOperator.BitwiseAnd, new Variant((byte)6), new Variant(3), new Variant(2));
        AssertBits(FilterOperator.BitwiseOr, new Variant((byte)6), new Variant(3), new Variant(7));
        AssertBits(
            FilterOperator.BitwiseOr, new Variant((ushort)1), new Variant(1UL << 63), new Variant((1UL << 63) | 1));
        AssertBits(
            FilterOperator.BitwiseAnd, new Variant((sbyte)-1), new Variant((short)0xFF0), new Variant((short)0xFF0));
        Assert.Equal('N', Result(FilterOperator.BitwiseAnd, new Variant(1.0), new Variant(1)));
        Assert.Equal('N', Result(FilterOperator.BitwiseOr, Variant.Null, new Variant(1)));
        Assert.Equal('N', Result(FilterOperator.BitwiseOr, new Variant("1"), new Variant(1)));
    }

    [Fact]
    public void Evaluate_IsNull_KnowsTheNullsOfTheTypes()
    {
        foreach (var nothing in new[]
        {
            Variant.Null, new Variant((string?)null), Variant.FromByteString(null), new Variant(NodeId.Null),
            new Variant(default(ExpandedNodeId)), new Variant(default(LocalizedText)),
            new Variant(default(QualifiedName)), new Variant(default(ExtensionObject)),
        })
            Assert.Equal('T', Result(FilterOperator.IsNull, nothing));
        Assert.Equal('F', Result(FilterOperator.IsNull, new Variant("")));
        Assert.Equal('F', Result(FilterOperator.IsNull, new Variant(0)));
        // As a value it can still be compared with.
        Assert.Equal('T', Result(FilterOperator.Equals, new Variant(NodeId.Null), new Variant(NodeId.Null)));
    }

    /// <summary>A null String and an empty one are equal, and so are ByteStrings. Source: Part 4 §7.7.3, Part 6
    /// §5.1.11.</summary>
    [Fact]
    public void Evaluate_EqualsOfNullAndEmptyTexts_AreEqual()
    {
        var (none, noBytes) = (new Variant((string?)null), Variant.FromByteString(null));
        Assert.Equal('T', Result(FilterOperator.Equals, none, new Variant("")));
        Assert.Equal('T', Result(FilterOperator.Equals, new Variant(""), none));
        Assert.Equal('T', Result(FilterOperator.Equals, none, none));
        Assert.Equal('F', Result(FilterOperator.Equals, none, new Variant("a")));
        Assert.Equal('T', Result(FilterOperator.Equals, noBytes, Variant.FromByteString([])));
        Assert.Equal('T', Result(FilterOperator.InList, none, new Variant("a"), new Variant("")));
        // Nothing to compare with.
        Assert.Equal('N', Result(FilterOperator.Equals, Variant.Null, new Variant("")));
        Assert.Equal('N', Result(FilterOperator.Equals, none, new Variant(0)));
        Assert.Equal('N', Result(FilterOperator.Like, none, new Variant("")));
    }

    [Fact]
    public void Evaluate_StatusInPlaceOfAValue_IsNull()
    {
        Assert.True(Passes(Where(Element(FilterOperator.IsNull, Of("Broken")))));
        Assert.False(Passes(Where(
            Element(FilterOperator.Not, Element(1)),
            Element(FilterOperator.GreaterThan, Of("Broken"), Literal(new Variant(5))))));
        // A field that holds a StatusCode has a value.
        Assert.False(Passes(Where(Element(FilterOperator.IsNull, Of("Code")))));
    }

    /// <summary>An event without the field is dropped by both.</summary>
    [Fact]
    public void Evaluate_MissingField_IsNullAndStaysNullUnderNot()
    {
        var greater = Element(FilterOperator.GreaterThan, Of("Missing"), Literal(new Variant(500)));
        Assert.False(Passes(Where(greater)));
        Assert.False(Passes(Where(Element(FilterOperator.Not, Element(1)), greater)));
        Assert.True(Passes(Where(Element(FilterOperator.IsNull, Of("Missing")))));
    }

    [Fact]
    public void Evaluate_OfType_FollowsTheTypeTree()
    {
        Assert.True(Passes(OfType(SystemEventType)));
        Assert.True(Passes(OfType(BaseEventType)));
        Assert.False(Passes(OfType(ConditionType)));
        Assert.False(Passes(Where(Element(FilterOperator.OfType, Literal(new Variant(new NodeId(1, 77)))))));
        Assert.True(Passes(Where(
            Element(FilterOperator.OfType, Literal(new Variant(new ExpandedNodeId(new NodeId(SystemEventType))))))));

        static EventFilter OfType(uint type) =>
            Where(Element(FilterOperator.OfType, Literal(new Variant(new NodeId(type)))));
    }

    private static void AssertBits(FilterOperator kind, Variant left, Variant right, Variant expected)
    {
        Assert.True(Passes(Where(
            Element(FilterOperator.Equals, Element(1), Literal(expected)),
            Element(kind, Literal(left), Literal(right)))));
    }

    private static Variant ValueOf(char letter) => letter switch
    {
        'T' => new Variant(true),
        'F' => new Variant(false),
        'n' => new Variant(7),
        _ => Variant.Null,
    };

    private static char Result(FilterOperator kind, params Variant[] operands)
    {
        var element = Element(kind, Array.ConvertAll(operands, Literal));
        if (Passes(Where(element)))
            return 'T';
        return Passes(Where(Element(FilterOperator.Not, Element(1)), element)) ? 'F' : 'N';
    }

    private static bool Passes(EventFilter filter)
    {
        var verdict = Compiler.Compile(filter);
        Assert.Equal(StatusCode.Good, verdict.Status);
        return verdict.Filter!.Passes(MakePlain(), new Variant[verdict.Filter.ElementCount]);
    }
}
