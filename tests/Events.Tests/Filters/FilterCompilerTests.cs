using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Filters;
using static Gateway.Events.Tests.Support.EventSample;

namespace Gateway.Events.Tests.Filters;

/// <summary>Each wrong thing in a filter has its code. Source: Part 4 §7.22.3, §7.7.1.</summary>
public sealed class FilterCompilerTests
{
    public static TheoryData<string, uint> SelectCodes => new()
    {
        { "no event type", StatusCodes.BadTypeDefinitionInvalid },
        { "null type", StatusCodes.BadTypeDefinitionInvalid },
        { "null name", StatusCodes.BadBrowseNameInvalid },
        { "too many names", StatusCodes.BadBrowseNameInvalid },
        { "attribute 0", StatusCodes.BadAttributeIdInvalid },
        { "attribute 28", StatusCodes.BadAttributeIdInvalid },
        { "value of the event", StatusCodes.BadAttributeIdInvalid },
        { "range", StatusCodes.BadIndexRangeInvalid },
        { "range of a NodeId", StatusCodes.BadIndexRangeInvalid },
        { "unknown type", 0 },
        { "unknown path", 0 },
        { "subtype's field", 0 },
        { "ConditionId", 0 },
    };

    [Theory]
    [MemberData(nameof(SelectCodes))]
    public void Compile_SelectClause_HasItsCode(string clause, uint code)
    {
        var verdict = Compiler.Compile(new EventFilter { SelectClauses = [Field("Severity"), ClauseOf(clause)] });

        // One clause can be used: the item is created, and the code says which one cannot.
        Assert.Equal(StatusCode.Good, verdict.Status);
        Assert.Equal(code == 0, verdict.Result is null);
        if (code != 0)
            Assert.Equal([StatusCode.Good, new StatusCode(code)], verdict.Result!.SelectClauseResults!);
        Assert.Equal(2, verdict.Filter!.SelectCount);
    }

    [Fact]
    public void Compile_NoUsableClause_IsInvalid()
    {
        var verdict = Compiler.Compile(new EventFilter { SelectClauses = [ClauseOf("null type")] });
        Assert.Equal(StatusCodes.BadEventFilterInvalid, verdict.Status.Code);
        Assert.Null(verdict.Filter);
        Assert.Equal([new StatusCode(StatusCodes.BadTypeDefinitionInvalid)], verdict.Result!.SelectClauseResults!);
        Assert.Equal(StatusCodes.BadEventFilterInvalid, Compiler.Compile(new EventFilter()).Status.Code);
    }

    public static TheoryData<string, uint, uint> WhereCodes => new()
    {
        { "unknown operator", StatusCodes.BadFilterOperatorInvalid, 0 },
        { "InView", StatusCodes.BadFilterOperatorUnsupported, 0 },
        { "RelatedTo", StatusCodes.BadFilterOperatorUnsupported, 0 },
        { "one operand too few", StatusCodes.BadFilterOperandCountMismatch, 0 },
        { "one operand too many", StatusCodes.BadFilterOperandCountMismatch, 0 },
        { "no operand", StatusCodes.BadFilterOperandCountMismatch, 0 },
        { "null operand", StatusCodes.BadFilterOperandInvalid, StatusCodes.BadFilterOperandInvalid },
        { "undecoded operand", StatusCodes.BadFilterOperandInvalid, StatusCodes.BadFilterOperandInvalid },
        { "operand of another class", StatusCodes.BadFilterOperandInvalid, StatusCodes.BadFilterOperandInvalid },
        { "itself", StatusCodes.BadFilterElementInvalid, StatusCodes.BadFilterElementInvalid },
        { "beyond the end", StatusCodes.BadFilterElementInvalid, StatusCodes.BadFilterElementInvalid },
        { "field of no type", StatusCodes.BadFilterOperandInvalid, StatusCodes.BadTypeDefinitionInvalid },
        { "OfType of a field", StatusCodes.BadFilterOperandInvalid, StatusCodes.BadFilterOperandInvalid },
        { "OfType of a number", StatusCodes.BadFilterOperandInvalid, StatusCodes.BadFilterOperandInvalid },
        { "OfType of a data type", StatusCodes.BadFilterOperandInvalid, StatusCodes.BadFilterOperandInvalid },
        { "literal DataValue", StatusCodes.BadFilterOperandInvalid, StatusCodes.BadFilterLiteralInvalid },
    };

    [Theory]
    [MemberData(nameof(WhereCodes))]
    public void Compile_WhereElement_HasItsCode(string element, uint code, uint operandCode)
    {
        var verdict = Compiler.Compile(Where(ElementOf(element)));

        Assert.Equal(StatusCodes.BadEventFilterInvalid, verdict.Status.Code);
        Assert.Null(verdict.Filter);
        var result = Assert.Single(verdict.Result!.WhereClauseResult.ElementResults!);
        Assert.Equal(new StatusCode(code), result.StatusCode);
        Assert.Equal(ElementOf(element).FilterOperands?.Length ?? 0, result.OperandStatusCodes!.Length);
        Assert.Equal(
            operandCode != 0, Array.Exists(result.OperandStatusCodes, one => one.IsBad && one.Code == operandCode));
        Assert.Equal([StatusCode.Good], verdict.Result.SelectClauseResults!);
    }

    /// <summary>The collector of the standard's own test tool.</summary>
    [Fact]
    public void Compile_149ClausesAndAnEmptyList_IsGood()
    {
        var filter = new EventFilter
        {
            SelectClauses = [.. Enumerable.Range(0, 149).Select(i => Field("Field" + i))],
            WhereClause = new ContentFilter
            {
                Elements = [Element(FilterOperator.InList, Of("", ConditionType))],
            },
        };
        var verdict = Compiler.Compile(filter);
        Assert.Equal(StatusCode.Good, verdict.Status);
        Assert.Null(verdict.Result);
        Assert.False(verdict.Filter!.Passes(MakeAlarm(), new Variant[1]));
    }

    [Fact]
    public void Compile_UnreachableElement_IsPassedOver()
    {
        var verdict = Compiler.Compile(Where(
            Element(FilterOperator.IsNull, Of("Missing")), Element(FilterOperator.InView),
            Element((FilterOperator)99)));
        Assert.Equal(StatusCode.Good, verdict.Status);
        Assert.True(verdict.Filter!.Passes(MakePlain(), new Variant[3]));
    }

    [Fact]
    public void Compile_MoreThanALimit_IsUnsupported()
    {
        var compiler = new FilterCompiler(Nodes, new EventFilterLimits
        {
            MaxEventSelectClauses = 2,
            MaxEventWhereElements = 2,
            MaxEventWhereOperands = 3,
            MaxEventFilterBytes = 2_000,
        });
        var isNull = Element(FilterOperator.IsNull, Of("X"));
        Assert.Equal(StatusCode.Good, compiler.Compile(Where(isNull, isNull)).Status);
        AssertUnsupported(new EventFilter { SelectClauses = [Field("A"), Field("B"), Field("C")] });
        AssertUnsupported(Where(isNull, isNull, isNull));
        AssertUnsupported(Where(Element(FilterOperator.InList, [.. Enumerable.Repeat(Of("X"), 4)])));
        AssertUnsupported(Where(
            Element(FilterOperator.Like, Of("X"), Literal(new Variant(new string('%', 2_000))))));

        void AssertUnsupported(EventFilter filter) =>
            Assert.Equal(StatusCodes.BadMonitoredItemFilterUnsupported, compiler.Compile(filter).Status.Code);
    }

    [Fact]
    public void Compile_EqualFilters_HaveEqualKeys()
    {
        var one = KeyOf(Where(ElementOf("fine")));
        Assert.Equal(one, KeyOf(Where(ElementOf("fine"))));
        Assert.NotEqual(one, KeyOf(Where()));

        static byte[] KeyOf(EventFilter filter) => Compiler.Compile(filter).Filter!.Key;
    }

    private static SimpleAttributeOperand ClauseOf(string clause) => clause switch
    {
        "no event type" => Field("X", type: 58),
        "null type" => Field("X", type: 0),
        "null name" => Field("X/"),
        "too many names" => Field(string.Join('/', Enumerable.Repeat("X", 33))),
        "attribute 0" => WithAttribute(0),
        "attribute 28" => WithAttribute(28),
        "value of the event" => new SimpleAttributeOperand
        {
            TypeDefinitionId = new NodeId(BaseEventType),
            AttributeId = (uint)AttributeId.Value,
        },
        "range" => Field("X", range: "2:1"),
        "range of a NodeId" => new SimpleAttributeOperand
        {
            TypeDefinitionId = new NodeId(ConditionType),
            AttributeId = (uint)AttributeId.NodeId,
            IndexRange = "1",
        },
        "unknown type" => Field("X", type: 4_000_000_000),
        "unknown path" => Field("No/Such/Path"),
        "subtype's field" => Field("Retain"),
        _ => Field("", type: ConditionType),
    };

    private static SimpleAttributeOperand WithAttribute(uint attribute) => new()
    {
        TypeDefinitionId = new NodeId(BaseEventType),
        BrowsePath = [new QualifiedName("X")],
        AttributeId = attribute,
    };

    private static ContentFilterElement ElementOf(string element) => element switch
    {
        "unknown operator" => Element((FilterOperator)18, Of("X")),
        "InView" => Element(FilterOperator.InView, Of("X")),
        "RelatedTo" => Element(FilterOperator.RelatedTo, [.. Enumerable.Repeat(Of("X"), 6)]),
        "one operand too few" => Element(FilterOperator.Equals, Of("X")),
        "one operand too many" => Element(FilterOperator.IsNull, Of("X"), Of("X")),
        "no operand" => Element(FilterOperator.InList),
        "null operand" => Element(FilterOperator.IsNull, new ExtensionObject(null)),
        "undecoded operand" => Element(FilterOperator.IsNull, new ExtensionObject(new NodeId(600), [1, 2, 3])),
        "operand of another class" => Element(FilterOperator.IsNull, new ExtensionObject(new EventFilter())),
        "itself" => Element(FilterOperator.Not, Element(0u)),
        "beyond the end" => Element(FilterOperator.Not, Element(1)),
        "field of no type" => Element(FilterOperator.IsNull, Of("X", type: 58)),
        "OfType of a field" => Element(FilterOperator.OfType, Of("EventType")),
        "OfType of a number" => Element(FilterOperator.OfType, Literal(new Variant(BaseEventType))),
        "OfType of a data type" => Element(FilterOperator.OfType, Literal(new Variant(new NodeId(12)))),
        "literal DataValue" => Element(FilterOperator.IsNull, Literal(new Variant(default(DataValue)))),
        _ => Element(FilterOperator.IsNull, Of("X")),
    };
}
