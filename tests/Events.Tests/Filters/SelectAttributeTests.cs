using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using static Gateway.Events.Tests.Support.EventSample;

namespace Gateway.Events.Tests.Filters;

/// <summary>Each attribute on the event itself, and at the end of a path. Source: Part 4 §7.22.3, Part 3 §5.5.1 and
/// §5.6.2, Part 9 §5.5.2.</summary>
public sealed class SelectAttributeTests
{
    private const uint Attributes = 28;

    private const string Id = "the id";
    private const string Value = "the value";
    private const string Null = "null";
    private const string Invalid = "Bad_AttributeIdInvalid";

    /// <summary>Those of Objects are NodeId to UserWriteMask, EventNotifier, and RolePermissions to AccessRestrictions.
    /// The gateway has no nodes for conditions and their children, so only the ConditionId has a value.</summary>
    private static readonly HashSet<uint> OfObjects = [1, 2, 3, 4, 5, 6, 7, 12, 24, 25, 26];

    private static readonly HashSet<uint> OfVariables =
        [1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16, 17, 18, 19, 20, 24, 25, 26, 27];

    public static TheoryData<string, uint, string> Rows()
    {
        var rows = new TheoryData<string, uint, string>();
        for (var attribute = 0u; attribute <= Attributes; attribute++)
        {
            rows.Add("", attribute, attribute == 1 ? Id : OfObjects.Contains(attribute) ? Null : Invalid);
            // A path may end at a Variable, or at an Object such as ShelvingState.
            var isOfPath = OfObjects.Contains(attribute) || OfVariables.Contains(attribute);
            var other = isOfPath ? Null : Invalid;
            rows.Add("Severity", attribute, attribute == 13 ? Value : other);
            rows.Add("ActiveState/Id", attribute, attribute == 13 ? Value : other);
            rows.Add("ShelvingState", attribute, other);
            rows.Add("Unknown", attribute, other);
        }

        return rows;
    }

    [Theory]
    [MemberData(nameof(Rows))]
    public void Select_EachAttribute_IsAsTheTableSays(string path, uint attribute, string expected)
    {
        foreach (var type in new[] { BaseEventType, ConditionType, AlarmConditionType })
        {
            var verdict = Compiler.Compile(new EventFilter
            {
                SelectClauses = [Field("Retain"), Clause(path, type, attribute)],
            });
            Assert.Equal(StatusCode.Good, verdict.Status);
            var code = verdict.Result?.SelectClauseResults![1] ?? StatusCode.Good;
            Assert.Equal(expected == Invalid ? StatusCodes.BadAttributeIdInvalid : 0, code.Code);
            using var buffer = new PooledBuffer(0);
            var writer = new UaBinaryWriter(buffer);
            verdict.Filter!.WriteFields(MakeAlarm(), ref writer, 1000);
            writer.Complete();
            var field = new UaBinaryReader(buffer.WrittenSpan).ReadVariant().AsArray<Variant>()![1];
            Assert.Equal(
                expected switch
                {
                    Id => new Variant(new NodeId("alarm", 2)),
                    Value when path == "Severity" => new Variant((ushort)700),
                    Value => new Variant(true),
                    _ => Variant.Null,
                },
                field);
        }
    }

    private static SimpleAttributeOperand Clause(string path, uint type, uint attribute) => new()
    {
        TypeDefinitionId = new NodeId(type),
        BrowsePath = Field(path).BrowsePath,
        AttributeId = attribute,
    };
}
