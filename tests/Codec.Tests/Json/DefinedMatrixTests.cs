using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Definitions;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>Fields that are matrices. Source: Part 6 §5.2.5, §5.4.5, §H.9.</summary>
public sealed class DefinedMatrixTests
{
    private static readonly NodeId Id = new(1, 1);

    private static readonly byte[] Numbers = Wire.Encode((ref UaBinaryWriter w) =>
    {
        w.WriteBlittableArray<int>([2, 3]);
        foreach (var number in new double[] { 1, 2, 3, 4, 5, 6 })
            w.WriteDouble(number);
        w.WriteInt32(1);
    });

    public static TheoryData<JsonEncoding, string> Texts => new()
    {
        { JsonEncoding.Compact, """{"M":{"Array":[1,2,3,4,5,6],"Dimensions":[2,3]},"N":1}""" },
        { JsonEncoding.Verbose, """{"M":{"Array":[1,2,3,4,5,6],"Dimensions":[2,3]},"N":1}""" },
        { JsonEncoding.Reversible, """{"M":[[1,2,3],[4,5,6]],"N":1}""" },
    };

    [Theory]
    [MemberData(nameof(Texts))]
    public void Matrix_OfNumbers_IsWrittenAndReadBack(JsonEncoding encoding, string text)
    {
        var type = Find(BuiltInType.Double, rank: 2);
        Assert.Equal(text, JsonOf.Text(encoding, w => Assert.True(type.TryWrite(w, Numbers))));
        Assert.Equal(Numbers, JsonOf.Value(text, (ref UaJsonReader r) => type.Read(ref r)).Body);
    }

    /// <summary>A null one, and one without values.</summary>
    [Theory]
    [InlineData(false, """{"M":null,"N":1}""")]
    [InlineData(true, """{"M":{"Array":[],"Dimensions":[0,3]},"N":1}""")]
    public void Matrix_WithoutValues_IsWrittenAndReadBack(bool isThere, string text)
    {
        var type = Find(BuiltInType.String, rank: 2);
        var bytes = Wire.Encode((ref UaBinaryWriter w) =>
        {
            w.WriteBlittableArray(isThere ? new[] { 0, 3 } : null);
            w.WriteInt32(1);
        });
        Assert.Equal(text, JsonOf.Text(JsonEncoding.Verbose, w => Assert.True(type.TryWrite(w, bytes))));
        Assert.Equal(bytes, JsonOf.Value(text, (ref UaJsonReader r) => type.Read(ref r)).Body);
    }

    [Fact]
    public void Matrix_OfStructures_IsWrittenAndReadBack()
    {
        var structures = new DefinedStructures(new Definitions(BuiltInType.ExtensionObject, 2));
        var type = structures.FindByDataType(new NodeId(2, 1))!;
        const string inner = """{"M":{"Array":["a","b"],"Dimensions":[1,2]},"N":2}""";
        var text = $$"""{"M":{"Array":[{{inner}},{{inner}}],"Dimensions":[2,1]},"N":1}""";
        var body = (byte[])JsonOf.Value(text, (ref UaJsonReader r) => type.Read(ref r)).Body!;
        Assert.Equal(text, JsonOf.Text(JsonEncoding.Verbose, w => Assert.True(type.TryWrite(w, body))));
        var nested = $$"""{"M":[[{{inner}}],[{{inner}}]],"N":1}""";
        Assert.Equal(body, JsonOf.Value(nested, (ref UaJsonReader r) => type.Read(ref r)).Body);
    }

    [Theory]
    [InlineData("""{"M":{"Array":[1,2,3],"Dimensions":[2,2]}}""", "$.M: expected 2 Dimensions whose product")]
    [InlineData("""{"M":{"Array":[1,2,3,4],"Dimensions":[4]}}""", "$.M: expected 2 Dimensions whose product")]
    [InlineData("""{"M":{"Array":[1,2,3,4]}}""", "$.M: expected the members Array and Dimensions")]
    [InlineData("""{"M":{"Array":[],"Dimensions":[65536,65536]}}""", "$.M: expected 2 Dimensions whose product")]
    [InlineData("""{"M":[[1,2],[3]]}""", "$.M")]
    [InlineData("""{"M":[1,2]}""", "$.M: expected 2 Dimensions whose product")]
    public void Read_NoMatrix_IsAnErrorAtItsPlace(string text, string problem)
    {
        var reader = new UaJsonReader(Encoding.UTF8.GetBytes(text));
        Find(BuiltInType.Double, rank: 2).Read(ref reader);
        Assert.Equal(StatusCodes.BadDecodingError, reader.Status.Code);
        Assert.StartsWith(problem, reader.Problem);
    }

    /// <summary>Dimensions that promise more than there is.</summary>
    [Theory]
    [InlineData(2, 4)]
    [InlineData(65536, 65536)]
    [InlineData(int.MaxValue, 1)]
    [InlineData(2, 3, 1)]
    public void Write_DimensionsThatAreNotThoseOfTheBytes_WritesNothing(params int[] dimensions)
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) =>
        {
            w.WriteBlittableArray<int>(dimensions);
            w.WriteRaw(new byte[7 * sizeof(double)]);
        });
        Assert.Equal("", JsonOf.Text(
            JsonEncoding.Verbose, w => Assert.False(Find(BuiltInType.Double, rank: 2).TryWrite(w, bytes))));
    }

    private static IJsonStructureType Find(BuiltInType type, int rank) =>
        new DefinedStructures(new Definitions(type, rank)).FindByDataType(Id)!;

    /// <summary>Structure 1 has M and N; structure 2 has a matrix of structures 1, with strings.</summary>
    private sealed class Definitions(BuiltInType type, int rank) : IDataTypeDefinitions
    {
        public NodeId DataTypeOf(NodeId encodingId) => encodingId;

        public NodeId BinaryEncodingOf(NodeId dataTypeId) => dataTypeId.NamespaceIndex == 1 ? dataTypeId : default;

        public BuiltInType BuiltInTypeOf(NodeId dataTypeId) =>
            dataTypeId.NamespaceIndex == 1 ? BuiltInType.ExtensionObject : (BuiltInType)dataTypeId.Numeric;

        public DataTypeDefinition? DefinitionOf(NodeId dataTypeId)
        {
            if (dataTypeId.NamespaceIndex != 1)
                return null;
            var inner = type == BuiltInType.ExtensionObject ? BuiltInType.String : type;
            return new StructureDefinition
            {
                Fields =
                [
                    new StructureField
                    {
                        Name = "M",
                        DataType = dataTypeId.Numeric == 2 ? Id : new NodeId((uint)inner),
                        ValueRank = rank,
                    },
                    new StructureField { Name = "N", DataType = new NodeId(6), ValueRank = -1 },
                ],
            };
        }
    }
}
