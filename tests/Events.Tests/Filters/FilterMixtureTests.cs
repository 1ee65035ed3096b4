using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Filters;
using Gateway.Events.Model;
using static Gateway.Events.Tests.Support.EventSample;

namespace Gateway.Events.Tests.Filters;

/// <summary>Filters of random operators and operands, right and wrong ones: each gets its codes, none throws, and a
/// clause and its Not never both pass.</summary>
public sealed class FilterMixtureTests
{
    private const int Filters = 20_000;

    private static readonly Variant[] Values =
    [
        Variant.Null, new(true), new((sbyte)-1), new((byte)7), new(short.MinValue), new(ushort.MaxValue),
        new(int.MinValue), new(uint.MaxValue), new(long.MinValue), new(ulong.MaxValue), new(float.NaN),
        new(float.PositiveInfinity), new(1e300), new(-0.5), new((string?)null), new(""), new("1"), new("TRUE"),
        new("1e400"), new("i=2130"), new("[a-"), new(new string('9', 400)), new(DateTime.MinValue),
        new(DateTime.MaxValue), new(Guid.Empty), Variant.FromByteString(null), Variant.FromByteString(new byte[16]),
        new(new XmlElement("<a/>")), new(NodeId.Null), new(new NodeId(SystemEventType)), new(new NodeId("x", 9)),
        new(new NodeId(1)), new(new NodeId(12)), new(new NodeId(22)), new(new ExpandedNodeId(new NodeId(8))),
        new(new ExpandedNodeId(new NodeId(2130), "urn:x", 3)), new(new StatusCode(StatusCodes.BadTimeout)),
        new(new QualifiedName(null)), new(new QualifiedName("a", 3)), new(new LocalizedText(null)),
        new(new LocalizedText("a", "en")), new(default(ExtensionObject)),
        new(new ExtensionObject(new NodeId(5), [1, 2])), Variant.FromStructure(new EventFilter()),
        Variant.FromArray(BuiltInType.Int32, null), Variant.FromArray(BuiltInType.Int32, Array.Empty<int>()),
        Variant.FromArray(BuiltInType.Int32, new[] { 1 }), Variant.FromArray(BuiltInType.Byte, new byte[] { 1, 2, 3 }),
        Variant.FromArray(BuiltInType.Boolean, new[] { true }),
        Variant.FromArray(BuiltInType.String, new string?[] { null, "2" }),
        Variant.FromArray(BuiltInType.ByteString, new byte[]?[] { null, [] }),
        Variant.FromArray(BuiltInType.LocalizedText, new LocalizedText[] { default, new("b") }),
        Variant.FromArray(BuiltInType.Variant, new[] { default, new Variant(1), Variant.FromArray(
            BuiltInType.Variant, new[] { new Variant("x") }) }),
        Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2, 3, 4 }, [2, 2])),
        new(new DataValue(new Variant(1))),
    ];

    private static readonly string[] Paths =
        ["", "Severity", "Message", "SourceName", "Numbers", "Broken", "Code", "ActiveState/Id", "Retain", "Missing"];

    private static readonly string?[] Ranges = [null, null, null, "0", "1:2", "7", "0:1,0:1", "x"];

    private static readonly EventRecord[] Events = [MakePlain(), MakeAlarm()];

    [Fact]
    public void Filter_AnyMixture_HasItsCodesAndNeverPassesBesideItsNot()
    {
        var random = new Random(20261127);
        var (taken, passed) = (0, 0);
        for (var i = 0; i < Filters; i++)
        {
            var elements = Enumerable.Range(0, random.Next(1, 5)).Select(_ => RandomElement(random)).ToArray();
            var others = Enumerable.Range(0, random.Next(3)).Select(_ => RandomField(random));
            var filter = new EventFilter
            {
                SelectClauses = [Field("Severity"), .. others],
                WhereClause = new ContentFilter { Elements = elements },
            };
            var verdict = Compiler.Compile(filter);
            if (verdict.Filter is not { } compiled)
            {
                Assert.Equal(elements.Length, verdict.Result!.WhereClauseResult!.ElementResults!.Length);
                continue;
            }

            taken++;
            var opposite = Compiler.Compile(Where(Not(elements)));
            foreach (var one in Events)
            {
                var passes = Passes(compiled, one);
                passed += passes ? 1 : 0;
                AssertTakesWhatThereIs(compiled, one, i % 12);
                Assert.False(passes && Passes(opposite.Filter!, one));
                Assert.Equal(filter.SelectClauses.Length, CountFields(compiled, one));
            }
        }

        Assert.InRange(taken, Filters / 20, Filters);
        Assert.InRange(passed, Filters / 200, 2 * Filters);
    }

    private static ContentFilterElement RandomElement(Random random)
    {
        var kind = (FilterOperator)random.Next(19);
        var count = kind switch
        {
            _ when random.Next(30) == 0 => random.Next(5),
            FilterOperator.IsNull or FilterOperator.Not or FilterOperator.OfType => 1,
            FilterOperator.Between => 3,
            FilterOperator.InList => random.Next(1, 5),
            _ => 2,
        };
        return Element(kind, [.. Enumerable.Range(0, count).Select(_ => Operand(random))]);
    }

    private static ExtensionObject Operand(Random random) => random.Next(60) switch
    {
        0 => default,
        1 => new ExtensionObject(new NodeId(594), [1, 2, 3]),
        2 => new ExtensionObject(new AttributeOperand()),
        < 12 => Element((uint)random.Next(5)),
        < 30 => new ExtensionObject(RandomField(random)),
        _ => Literal(Values[random.Next(Values.Length)]),
    };

    private static SimpleAttributeOperand RandomField(Random random)
    {
        var path = Paths[random.Next(Paths.Length)];
        return Field(
            path, random.Next(5) == 0 ? AlarmConditionType : BaseEventType,
            path.Length == 0 ? null : Ranges[random.Next(Ranges.Length)]);
    }

    /// <summary>The same behind a Not.</summary>
    private static ContentFilterElement[] Not(ContentFilterElement[] elements) =>
    [
        Element(FilterOperator.Not, Element(1)),
        .. elements.Select(static one => Element(one.FilterOperator, Array.ConvertAll(
            one.FilterOperands!, static operand =>
                operand.Body is ElementOperand element ? Element(element.Index + 1) : operand))),
    ];

    private static bool Passes(CompiledFilter filter, EventRecord record)
    {
        var steps = 1_000_000;
        var passes = filter.Passes(record, new Variant[filter.ElementCount], ref steps);
        Assert.True(steps >= 0);
        return passes;
    }

    /// <summary>Else one that is ended would be charged less than it took (R44).</summary>
    private static void AssertTakesWhatThereIs(CompiledFilter filter, EventRecord record, int most)
    {
        var left = most;
        filter.Passes(record, new Variant[filter.ElementCount], ref left);
        Assert.InRange(Math.Max(left, ~left), 0, most);
        using var buffer = new PooledBuffer(0);
        var writer = new UaBinaryWriter(buffer);
        left = most;
        Assert.Equal(filter.TryWriteFields(record, ref writer, 1000, ref left), left >= 0);
        Assert.InRange(Math.Max(left, ~left), 0, most);
    }

    private static int CountFields(CompiledFilter filter, EventRecord record)
    {
        using var buffer = new PooledBuffer(0);
        var writer = new UaBinaryWriter(buffer);
        filter.WriteFields(record, ref writer, 1000);
        writer.Complete();
        return new UaBinaryReader(buffer.WrittenSpan).ReadVariant().AsArray<Variant>()!.Length;
    }
}
