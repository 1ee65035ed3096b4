using System.Text;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Definitions;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;
using Pair = Gateway.Codec.Structures.KeyValuePair;

namespace Gateway.Codec.Tests.Json;

/// <summary>Structures that only a DataTypeDefinition defines. Where there is also a declaration, both have the same
/// text and the same bytes.</summary>
public sealed class DefinedStructureTests
{
    private const int ValuesOfEach = 4;

    private static readonly Type[] Own =
        [typeof(OptionalSample), typeof(DerivedOptionalSample), typeof(UnionSample), typeof(SubtypedSample)];

    private static readonly DefinedStructures Structures =
        new(new ReflectedDefinitions([.. SampleStructures.Types, .. Own]));

    public static TheoryData<JsonEncoding> Encodings => new(Enum.GetValues<JsonEncoding>());

    [Theory]
    [MemberData(nameof(Encodings))]
    public void Structures_OfTheRegistry_AreAsDeclared(JsonEncoding encoding)
    {
        foreach (var type in SampleStructures.Types)
        {
            var random = new RandomStructures(5);
            for (var i = 0; i < ValuesOfEach; i++)
                AssertAsDeclared(encoding, random.Make(type));
            AssertAsDeclared(encoding, SampleStructures.Make(type));
        }
    }

    [Theory]
    [MemberData(nameof(Encodings))]
    public void Structures_OfEveryKind_AreAsDeclared(JsonEncoding encoding)
    {
        foreach (var own in OwnSamples.All.Values)
            AssertAsDeclared(encoding, own.Value);
    }

    [Fact]
    public void ExtensionObject_OfADefinedType_HasItsFields()
    {
        var format = new JsonFormat { Structures = Structures };
        var range = new Gateway.Codec.Structures.Range { Low = 1.5, High = 2 };
        var id = ReflectedDefinitions.IdOf(typeof(Gateway.Codec.Structures.Range));
        var encoding = new NodeId(Gateway.Codec.Structures.Range.BinaryEncodingId, 7);
        var value = new Variant(new ExtensionObject(encoding, Wire.Encode(range)));
        var text = JsonOf.Text(format, w => w.WriteVariant(value));
        Assert.Equal(
            $$$"""{"UaType":22,"Value":{"UaTypeId":"ns=7;i={{{id.Numeric}}}","Low":1.5,"High":2}}""", text);
        Assert.Equal(text, JsonOf.Text(
            format, w => Assert.True(JsonTranscoder.TryWriteVariant(w, JsonOf.Binary(value)))));
        var back = JsonOf.Value(text, (ref UaJsonReader r) => r.ReadVariant(), format);
        Assert.Equal(JsonOf.Binary(value), JsonOf.Binary(back));
    }

    /// <summary>Two characters of JSON ask for all of its fields (R44).</summary>
    [Fact]
    public void ReadExtensionObject_NothingGiven_MakesEachDefaultOnce()
    {
        const int Count = 1_000;
        var format = new JsonFormat { Structures = Structures };
        var id = ReflectedDefinitions.IdOf(typeof(SessionDiagnosticsDataType));
        var text = $$"""{"UaTypeId":"ns=7;i={{id.Numeric}}"}""";
        JsonOf.Value(text, (ref UaJsonReader r) => r.ReadExtensionObject(), format);
        var before = GC.GetAllocatedBytesForCurrentThread();

        for (var i = 0; i < Count; i++)
            Assert.IsType<byte[]>(
                JsonOf.Value(text, (ref UaJsonReader r) => r.ReadExtensionObject(), format).Body);

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 2_500 * Count);
    }

    /// <summary>What is cut off, or longer than its definition, is shown as its bytes.</summary>
    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    public void ExtensionObject_OtherLength_StaysBinary(int more)
    {
        var bytes = Wire.Encode(new Gateway.Codec.Structures.Range { Low = 1 });
        Array.Resize(ref bytes, bytes.Length + more);
        var id = new NodeId(Gateway.Codec.Structures.Range.BinaryEncodingId, 7);
        var text = JsonOf.Text(
            new JsonFormat { Structures = Structures }, w => w.WriteExtensionObject(new(id, bytes)));
        var dataType = ReflectedDefinitions.IdOf(typeof(Gateway.Codec.Structures.Range));
        Assert.StartsWith($$"""{"UaTypeId":"ns=7;i={{dataType.Numeric}}","UaEncoding":1""", text);
    }

    /// <summary>Each body is read from its own start, so that only the writer counts the levels (R01).</summary>
    [Theory]
    [MemberData(nameof(Encodings))]
    public void ExtensionObject_BodiesInBodies_NoDeeperThanTheLimit(JsonEncoding encoding)
    {
        var id = new NodeId(Pair.BinaryEncodingId, 7);
        var format = new JsonFormat { Encoding = encoding, Structures = Structures };
        var value = new Variant(1);
        for (var level = 1; level <= 150; level++)
        {
            value = new Variant(new ExtensionObject(id, Wire.Encode(new Pair { Value = value })));
            var writer = UaJsonWriter.Rent(format);
            JsonTranscoder.TryWriteVariant(writer, JsonOf.Binary(value));
            if (level is 20 or 150)
                Assert.Equal(level == 150, writer.Failed);
            writer.Return();
        }
    }

    [Theory]
    [InlineData("""{"UaTypeId":"ns=7;i=884","Low":"x"}""", "$.Low: expected Double")]
    [InlineData("""{"UaTypeId":"ns=7;i=884","Middle":1}""", "$: unknown member \"Middle\"")]
    [InlineData("""{"UaTypeId":"ns=7;i=884","Low":1,"Low":1}""", "$: the member Low is there twice")]
    public void Read_Wrong_IsAnErrorAtItsPlace(string text, string problem)
    {
        var reader = new UaJsonReader(Encoding.UTF8.GetBytes(text), new JsonFormat { Structures = Structures });
        reader.ReadExtensionObject();
        Assert.Equal(StatusCodes.BadDecodingError, reader.Status.Code);
        Assert.StartsWith(problem, reader.Problem);
        // Not everybody may see the type (R36).
        Assert.DoesNotContain("High", reader.Problem, StringComparison.Ordinal);
    }

    /// <summary>A peer's definitions: structures inside themselves, without end, and defaults that grow with each
    /// level.</summary>
    [Theory]
    [InlineData(0, 1)]
    [InlineData(-2, 1)]
    [InlineData(1, 30)]
    [InlineData(1, 100_000)]
    public void FindByDataType_Hostile_IsNotKnown(int valueRankOfLoop, int levels)
    {
        var structures = new DefinedStructures(new HostileDefinitions(valueRankOfLoop, levels));
        Assert.Null(structures.FindByDataType(new NodeId(1, 1)));
        Assert.Null(structures.FindByEncoding(new NodeId(1, 1)));
    }

    private static void AssertAsDeclared(JsonEncoding encoding, IStructure sample)
    {
        var bytes = Wire.Encode(sample);
        var defined = Structures.FindByDataType(ReflectedDefinitions.IdOf(sample.GetType()));
        Assert.True(defined is not null, sample.GetType().Name);
        var text = JsonOf.Text(encoding, w => ((IJsonStructure)sample).Encode(w));
        Assert.Equal(text, JsonOf.Text(encoding, w => Assert.True(defined.TryWrite(w, bytes))));
        if (encoding == JsonEncoding.NonReversible)
            return;
        var back = JsonOf.Value(text, (ref UaJsonReader r) => defined.Read(ref r));
        Assert.True(bytes.AsSpan().SequenceEqual((byte[])back.Body!), text);
    }

    /// <summary>Each level has two of the next; the last has itself.</summary>
    private sealed class HostileDefinitions(int valueRankOfLoop, int levels) : IDataTypeDefinitions
    {
        public NodeId DataTypeOf(NodeId encodingId) => encodingId;

        public NodeId BinaryEncodingOf(NodeId dataTypeId) => dataTypeId;

        public BuiltInType BuiltInTypeOf(NodeId dataTypeId) => BuiltInType.ExtensionObject;

        public DataTypeDefinition? DefinitionOf(NodeId dataTypeId)
        {
            var isLast = dataTypeId.Numeric == levels;
            return new StructureDefinition { Fields = [Field("A"), Field("B")] };

            StructureField Field(string name) => new()
            {
                Name = name,
                DataType = new NodeId(isLast ? dataTypeId.Numeric : dataTypeId.Numeric + 1, 1),
                ValueRank = isLast && valueRankOfLoop != 0 ? valueRankOfLoop : -1,
            };
        }
    }
}
