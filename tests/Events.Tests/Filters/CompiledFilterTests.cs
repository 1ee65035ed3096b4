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
