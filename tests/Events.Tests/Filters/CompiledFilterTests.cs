using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Filters;
using Gateway.Events.Model;
using Gateway.Testing;
using static Gateway.Events.Tests.Support.EventSample;

namespace Gateway.Events.Tests.Filters;

public sealed class CompiledFilterTests
{
    [Fact]
    public void WriteFields_Clauses_GiveEachItsFieldInOrder()
    {
        var fields = Fields(
            MakeAlarm(), Field("", ConditionType), Field("Severity"), Field("ActiveState/Id", AlarmConditionType),
            Field("Missing"), Field("Retain"), Field("Retain", SystemEventType), Field("Retain", ConditionType));
        Assert.Equal(
            [
                new Variant(new NodeId("alarm", 2)), new Variant((ushort)700), new Variant(true), Variant.Null,
                // BaseEventType stands for any type; another type restricts the clause to its subtypes.
                new Variant(true), Variant.Null, new Variant(true),
            ],
            fields);
    }

    [Fact]
    public void WriteFields_ConditionIdOfAnotherEvent_IsNull() =>
        Assert.Equal([Variant.Null], Fields(MakePlain(), Field("", ConditionType)));

    [Fact]
    public void WriteFields_NamespaceOfAName_Counts() => Assert.Equal(
        [Variant.Null],
        Fields(MakePlain(), new SimpleAttributeOperand
        {
            TypeDefinitionId = new NodeId(BaseEventType),
            BrowsePath = [new QualifiedName("Severity", 3)],
            AttributeId = (uint)AttributeId.Value,
        }));

    [Fact]
    public void WriteFields_RejectedClause_IsNull() => Assert.Equal(
        [new Variant((ushort)500), Variant.Null], Fields(MakePlain(), Field("Severity"), Field("Severity", type: 58)));

    [Fact]
    public void WriteFields_Range_GivesThePartOrItsStatus() => Assert.Equal(
        [
            Variant.FromArray(BuiltInType.Int32, new[] { 2, 3 }),
            new Variant(new StatusCode(StatusCodes.BadIndexRangeNoData)),
            new Variant(new StatusCode(StatusCodes.BadUserAccessDenied)),
        ],
        Fields(MakePlain(), Field("Numbers", range: "1:9"), Field("Numbers", range: "7"), Field("Broken", range: "1")));

    [Fact]
    public void WriteFields_FieldLargerThanTheLimit_IsAStatus()
    {
        var both = new EventFilter { SelectClauses = [Field("Message"), Field("Severity")] };
        var filter = Compiler.Compile(both).Filter!;
        Assert.Equal(
            [new Variant(new StatusCode(StatusCodes.BadEncodingLimitsExceeded)), new Variant((ushort)500)],
            Fields(filter, MakePlain(), maxFieldBytes: 10));
    }

    /// <summary>R44: one field many times costs the gateway what it costs the client to ask for it.</summary>
    [Fact]
    public void WriteFields_OneFieldManyTimes_IsGivenUpToABound()
    {
        var many = new EventFilter { SelectClauses = [.. Enumerable.Repeat(Field("Message"), 900), Field("Missing")] };
        var fields = Fields(Compiler.Compile(many).Filter!, MakePlain(), maxFieldBytes: 30);
        Assert.Equal(901, fields.Length);
        Assert.Equal(19, fields.Count(static one => one.Type == BuiltInType.LocalizedText));
        Assert.Equal(new Variant(new StatusCode(StatusCodes.BadEncodingLimitsExceeded)), fields[^2]);
        Assert.Equal(Variant.Null, fields[^1]);
    }

    [Fact]
    public void Passes_NoElements_IsTrue() =>
        Assert.True(Compiler.Compile(Where()).Filter!.Passes(MakePlain(), []));

    /// <summary>Neither recurses nor grows with the depth.</summary>
    [Theory]
    [InlineData(1000, true)]
    [InlineData(999, false)]
    public void Passes_ThousandNestedElements_IsEvaluated(int elements, bool expected)
    {
        var nested = Enumerable.Range(1, elements - 1)
            .Select(i => Element(FilterOperator.Not, Element((uint)i)))
            .Append(Element(FilterOperator.GreaterThan, Of("Severity"), Literal(new Variant(600))));
        var filter = Compiler.Compile(Where([.. nested])).Filter!;
        Assert.Equal(expected, filter.Passes(MakePlain(), new Variant[elements]));
    }

    [Fact]
    public void Passes_ElementWithTwoParents_IsEvaluatedForBoth() => Assert.True(Compiler.Compile(Where(
        Element(FilterOperator.And, Element(1), Element(2)),
        Element(FilterOperator.Not, Element(3)),
        Element(FilterOperator.Not, Element(3)),
        Element(FilterOperator.GreaterThan, Of("Severity"), Literal(new Variant(600))))).Filter!
        .Passes(MakePlain(), new Variant[4]));

    [Fact]
    public void Passes_SmallValues_TakesAStepForEachElementAndOperand()
    {
        var filter = Compiler.Compile(Where(
            Element(FilterOperator.And, Element(1), Element(2)),
            Element(FilterOperator.GreaterThan, Of("Severity"), Literal(new Variant(1))),
            Element(FilterOperator.InList, Of("Message"), Literal(new Variant("a")), Literal(new Variant("b")))))
            .Filter!;
        Assert.Equal(3 + 3 + 4, Taken(filter));
    }

    /// <summary>R44: a large value costs what it takes to look at it, each time that it is looked at. An operation that
    /// is more than what is left is not begun, and hardly costs anything.</summary>
    [Theory]
    [InlineData("array", 2 * 100 * 16 * 1_000)]
    [InlineData("text", 100 * 5_000)]
    [InlineData("names", 2 * 65 * 100)]
    [InlineData("part", 16 * 3)]
    public void Passes_LargeValues_TakeMoreSteps(string kind, int least)
    {
        var numbers = Variant.FromArray(BuiltInType.Int64, Enumerable.Range(0, 1_000).Select(i => (long)i).ToArray());
        var casts = Variant.FromArray(BuiltInType.Int32, Enumerable.Range(1, 1_000).ToArray());
        var names = Variant.FromArray(BuiltInType.String, Enumerable.Repeat(new string('x', 99), 100).ToArray());
        var filter = Compiler.Compile(kind switch
        {
            "array" => Where(
                Element(FilterOperator.InList, [Literal(numbers), .. Enumerable.Repeat(Element(1), 100)]),
                Element(FilterOperator.Cast, Literal(casts), Literal(new Variant(new NodeId(8))))),
            "text" => Where(Element(
                FilterOperator.InList,
                [Literal(new Variant(new string('1', 10_000))), .. Enumerable.Repeat(Literal(new Variant(2)), 100)])),
            "names" => Where(Element(FilterOperator.Equals, Literal(names), Literal(names))),
            _ => Where(Element(FilterOperator.IsNull, new ExtensionObject(Field("Numbers", range: "0:1")))),
        }).Filter!;
        Assert.InRange(Taken(filter), least, 2 * least);

        var most = least / 2;
        var left = most;
        Assert.False(filter.Passes(MakePlain(), new Variant[filter.ElementCount], ref left));
        Assert.True(left < 0);
        Assert.InRange(most - ~left, 0, least / 8);
    }

    private static int Taken(CompiledFilter filter)
    {
        var left = int.MaxValue;
        filter.Passes(MakePlain(), new Variant[filter.ElementCount], ref left);
        return int.MaxValue - left;
    }

    [Fact]
    public void PassesAndWriteFields_WarmFilter_AllocateNothing()
    {
        var filter = Compiler.Compile(new EventFilter
        {
            SelectClauses = [Field("Severity"), Field("Message"), Field("Numbers"), Field("ActiveState/Id")],
            WhereClause = new ContentFilter
            {
                Elements =
                [
                    Element(FilterOperator.And, Element(1), Element(2)),
                    Element(FilterOperator.GreaterThanOrEqual, Of("Severity"), Literal(new Variant(500))),
                    Element(FilterOperator.Or, Element(3), Element(4)),
                    Element(FilterOperator.OfType, Literal(new Variant(new NodeId(SystemEventType)))),
                    Element(FilterOperator.InList, Of("SourceName"), Literal(new Variant("a"))),
                ],
            },
        }).Filter!;
        var (record, results) = (MakePlain(), new Variant[filter.ElementCount]);
        using var buffer = new PooledBuffer(0);
        var passed = 0;

        var allocated = Allocations.OfThousand(() =>
        {
            passed += filter.Passes(record, results) ? 1 : 0;
            buffer.Reset();
            var writer = new UaBinaryWriter(buffer);
            filter.WriteFields(record, ref writer, 1000);
            writer.Complete();
        });

        Assert.True(passed > 1000);
        Assert.Equal(0, allocated);
    }

    private static Variant[] Fields(EventRecord record, params SimpleAttributeOperand[] clauses) =>
        Fields(Compiler.Compile(new EventFilter { SelectClauses = clauses }).Filter!, record, maxFieldBytes: 1000);

    private static Variant[] Fields(CompiledFilter filter, EventRecord record, int maxFieldBytes)
    {
        using var buffer = new PooledBuffer(0);
        var writer = new UaBinaryWriter(buffer);
        filter.WriteFields(record, ref writer, maxFieldBytes);
        writer.Complete();
        var reader = new UaBinaryReader(buffer.WrittenSpan, DecodingLimits.PassThrough);
        return reader.ReadVariant().AsArray<Variant>()!;
    }
}
