using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Json.Definitions;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Tests.Namespaces;

/// <summary>Ids inside structures: upstream 1 is 5 here, 2 is 6. DataTypes and encodings are in namespace 6.</summary>
public sealed class StructureMappingTests : IDataTypeDefinitions
{
    private static readonly NamespaceMap Map = new([0, 5, 6]);

    private readonly Dictionary<NodeId, DataTypeDefinition> _definitions = [];

    [Fact]
    public void Map_EachFieldTypeWithIndexes_Rewritten()
    {
        Define(1, StructureType.Structure, Field(17), Field(20), Field(18), Field(12), Field(24), Field(17, rank: 1));
        var body = Body((ref writer) => Write(ref writer, 1));
        var expected = Body((ref writer) => Write(ref writer, 5));

        AssertMapped(expected, body);

        static void Write(ref UaBinaryWriter writer, ushort index)
        {
            writer.WriteNodeId(new NodeId("a", index));
            writer.WriteQualifiedName(new QualifiedName("b", index));
            writer.WriteExpandedNodeId(new ExpandedNodeId(new NodeId(7, index)));
            writer.WriteString("plain");
            writer.WriteVariant(new Variant(new NodeId("v", index)));
            writer.WriteArray(BuiltInType.NodeId, new[] { new NodeId(1, index), new NodeId(2) });
        }
    }

    [Fact]
    public void Map_NestedOptionalAndUnion_RewrittenWherePresent()
    {
        Define(2, StructureType.Structure, Field(17));
        Define(3, StructureType.Union, Field(6), Field(17));
        Define(
            1, StructureType.StructureWithOptionalFields, Own(2), Own(3), Field(17, optional: true),
            Own(2, rank: 1, optional: true));
        var body = Body((ref writer) => Write(ref writer, 2));
        var expected = Body((ref writer) => Write(ref writer, 6));

        AssertMapped(expected, body);

        static void Write(ref UaBinaryWriter writer, ushort index)
        {
            writer.WriteUInt32(0b10);
            writer.WriteNodeId(new NodeId("inner", index));
            writer.WriteUInt32(2);
            writer.WriteNodeId(new NodeId("chosen", index));
            writer.WriteInt32(2);
            writer.WriteNodeId(new NodeId("x", index));
            writer.WriteNodeId(new NodeId("y", index));
        }
    }

    [Fact]
    public void Map_StructureThatContainsItself_RewrittenAtEachDepth()
    {
        Define(1, StructureType.Structure, Field(17), Own(1, rank: 1));
        var body = Body((ref writer) => Write(ref writer, 1));

        AssertMapped(Body((ref writer) => Write(ref writer, 5)), body);

        static void Write(ref UaBinaryWriter writer, ushort index)
        {
            writer.WriteNodeId(new NodeId("top", index));
            writer.WriteInt32(1);
            writer.WriteNodeId(new NodeId("below", index));
            writer.WriteInt32(-1);
        }
    }

    [Fact]
    public void Map_NoIndexInside_TheSameBytes()
    {
        Define(1, StructureType.Structure, Field(11), Field(12));
        var body = Body((ref writer) =>
        {
            writer.WriteDouble(2);
            writer.WriteString("text");
        });
        AssertMapped(body, body);
    }

    [Theory]
    [InlineData(1, new byte[] { 1, 2, 3 })]
    [InlineData(9, new byte[] { 1, 2, 3 })]
    public void Map_BytesThatNoDefinitionFits_KeptAndDoubtful(uint type, byte[] body)
    {
        Define(1, StructureType.Structure, Field(17), Field(11));
        AssertMapped(body, body, type, isDoubtful: true);
    }

    [Fact]
    public void Map_StructuresOfTheStandard_Rewritten()
    {
        var read = new ReadValueId
        {
            NodeId = new NodeId("n", 1),
            DataEncoding = new QualifiedName("e", 2),
            IndexRange = "1",
        };
        var mapper = new ValueMapper(Map, toLocal: true, new DefinedStructures(this));
        var mapped = mapper.Map(new Variant(new ExtensionObject(read))).AsExtensionObject().Body;

        Assert.Equal(
            read with { NodeId = new NodeId("n", 5), DataEncoding = new QualifiedName("e", 6) }, mapped);
        Assert.False(mapper.IsDoubtful);
    }

    [Fact]
    public void ToLocal_Doubtful_NoLongerGood()
    {
        var unknown = new DataValue(new Variant(new ExtensionObject(new NodeId(77, 2), [1])));
        Assert.Equal(StatusCodes.Uncertain, Map.ToLocal(unknown).Status.Code);
        Assert.Equal(StatusCodes.Good, Map.ToLocal(new DataValue(new Variant(1))).Status.Code);
    }

    public NodeId DataTypeOf(NodeId encodingId) => _definitions.ContainsKey(DataType(encodingId.Numeric - 100))
        ? DataType(encodingId.Numeric - 100)
        : default;

    public NodeId BinaryEncodingOf(NodeId dataTypeId) => new(dataTypeId.Numeric + 100, 6);

    public DataTypeDefinition? DefinitionOf(NodeId dataTypeId) => _definitions.GetValueOrDefault(dataTypeId);

    public BuiltInType BuiltInTypeOf(NodeId dataTypeId) => dataTypeId switch
    {
        { NamespaceIndex: 6 } => BuiltInType.ExtensionObject,
        { Numeric: 24 } => BuiltInType.Null,
        _ => (BuiltInType)dataTypeId.Numeric,
    };

    private delegate void WriteBody(ref UaBinaryWriter writer);

    private static byte[] Body(WriteBody write)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        write(ref writer);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    private void AssertMapped(byte[] expected, byte[] body, uint type = 1, bool isDoubtful = false)
    {
        var mapper = new ValueMapper(Map, toLocal: true, new DefinedStructures(this));
        var mapped = mapper.Map(new ExtensionObject(new NodeId(type + 100, 2), body));
        Assert.Equal(new NodeId(type + 100, 6), mapped.TypeId);
        Assert.Equal(expected, (byte[])mapped.Body!);
        Assert.Equal(isDoubtful, mapper.IsDoubtful);
    }

    private void Define(uint type, StructureType kind, params StructureField[] fields) =>
        _definitions[DataType(type)] = new StructureDefinition
        {
            StructureType = kind,
            Fields = [.. fields.Select((field, i) => new StructureField
            {
                Name = "f" + i, DataType = field.DataType, ValueRank = field.ValueRank, IsOptional = field.IsOptional,
            })],
        };

    private static StructureField Field(uint standard, int rank = -1, bool optional = false) =>
        new() { DataType = new NodeId(standard), ValueRank = rank, IsOptional = optional };

    private static StructureField Own(uint type, int rank = -1, bool optional = false) =>
        new() { DataType = DataType(type), ValueRank = rank, IsOptional = optional };

    private static NodeId DataType(uint type) => new(type, 6);
}
