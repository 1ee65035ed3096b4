using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;
using Gateway.Rest.Conversion;

namespace Gateway.Rest.Tests.Conversion;

public sealed class ValueConverterTests
{
    private static readonly NodeId Speed = new("Speed", 1);

    private readonly NodeTable _nodes = new();
    private readonly ValueConverter _converter;

    public ValueConverterTests()
    {
        _nodes.Namespaces.GetOrAdd("urn:test");
        _nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = Speed,
            NodeClass = NodeClass.DataType,
            BrowseName = new QualifiedName("Speed", 1),
            DataTypeDefinition = new EnumDefinition
            {
                Fields = [new EnumField { Name = "Slow", Value = 1 }, new EnumField { Name = "Fast", Value = 5 }],
            },
        }));
        _converter = new ValueConverter(new RestFormat(_nodes, structures: null), new EnumNames(_nodes));
    }

    [Theory]
    [InlineData("\"Fast\"", 5)]
    [InlineData("\"Fast_5\"", 5)]
    [InlineData("\"1\"", 1)]
    [InlineData("5", 5)]
    public void Convert_EnumerationByNameOrNumber_IsItsNumber(string json, int number)
    {
        Assert.Equal(
            StatusCode.Good, Convert(json, new ExpectedType(Speed, BuiltInType.Int32, -1), out var value, out _));
        Assert.Equal(new Variant(number), value);
    }

    [Theory]
    [InlineData("\"Fastest\"")]
    [InlineData("\"Fast_1\"")]
    [InlineData("true")]
    public void Convert_NoNameOfTheEnumeration_ListsTheNames(string json)
    {
        var status = Convert(json, new ExpectedType(Speed, BuiltInType.Int32, -1), out _, out var problem);

        Assert.Equal(StatusCodes.BadTypeMismatch, status.Code);
        Assert.Equal("expected one of Slow (1), Fast (5)", problem);
    }

    [Theory]
    [InlineData("true", BuiltInType.Boolean)]
    [InlineData("1", BuiltInType.Double)]
    [InlineData("\"1\"", BuiltInType.String)]
    [InlineData("""{"UaType":6,"Value":1}""", BuiltInType.Int32)]
    [InlineData("""{"Value":1,"UaType":6}""", BuiltInType.Int32)]
    [InlineData("null", BuiltInType.Null)]
    public void Convert_AbstractType_IsWhatTheValueSays(string json, BuiltInType type)
    {
        Assert.Equal(
            StatusCode.Good, Convert(json, new ExpectedType(default, BuiltInType.Null, -2), out var value, out _));
        Assert.Equal(type, value.Type);
    }

    [Theory]
    [InlineData("[[1,2],[3]]")]
    [InlineData("[[],[]]")]
    [InlineData("[[1],2]")]
    [InlineData("[1,[2]]")]
    [InlineData("[[[1]],[1]]")]
    [InlineData("[[1,2],[3,4]")]
    [InlineData("[[1,2],[3,4]]]")]
    public void Convert_ArraysThatAreNoMatrix_AreRefused(string json)
    {
        var status = Convert(json, new ExpectedType(default, BuiltInType.Int32, -2), out _, out var problem);

        Assert.Equal(StatusCodes.BadTypeMismatch, status.Code);
        Assert.NotNull(problem);
    }

    [Fact]
    public void Convert_ThousandsOfLevels_AreRefusedAsTooDeep()
    {
        var status = Convert(
            new string('[', 10_000), new ExpectedType(default, BuiltInType.Int32, -2), out _, out var problem);

        Assert.True(status.IsBad);
        Assert.NotNull(problem);
    }

    /// <summary>The same text from the object and from the bytes, and read back as it was.</summary>
    [Theory]
    [InlineData(2, 3)]
    [InlineData(3, 1, 2)]
    public void Convert_MatrixAsItIsWritten_IsTheSame(params int[] dimensions)
    {
        var elements = Enumerable.Range(1, dimensions.Aggregate(1, static (all, one) => all * one)).ToArray();
        var matrix = Variant.FromMatrix(BuiltInType.Int32, new Matrix(elements, dimensions));
        var writer = UaJsonWriter.Rent(JsonFormat.Compact);
        writer.WriteBareVariant(matrix);
        var text = Encoding.UTF8.GetString(writer.WrittenSpan);
        writer.Reset();
        Assert.True(JsonTranscoder.TryWriteBareVariant(writer, Encode(matrix)));
        Assert.Equal(text, Encoding.UTF8.GetString(writer.WrittenSpan));
        writer.Return();

        Assert.Equal(StatusCode.Good, Convert(
            text, new ExpectedType(default, BuiltInType.Int32, dimensions.Length), out var value, out _));
        Assert.Equal(matrix, value);
    }

    private StatusCode Convert(string json, ExpectedType type, out Variant value, out string? problem)
    {
        var body = Encoding.UTF8.GetBytes(json);
        return _converter.Convert(new JsonPiece(body, 0..body.Length), type, out value, out problem);
    }

    private static byte[] Encode(in Variant value)
    {
        using var buffer = new Gateway.Codec.Pooling.PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteVariant(value);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }
}
