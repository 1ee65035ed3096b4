using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Tests.Namespaces;

public sealed class ValueMapperTests
{
    private static readonly NamespaceMap Map = new([0, 5, 6]);

    public static TheoryData<int> Cases => [.. Enumerable.Range(0, Pairs().Length)];

    [Theory]
    [MemberData(nameof(Cases))]
    public void Map_EachTypeWithIndexes_ThereAndBack(int index)
    {
        var (upstream, local) = Pairs()[index];
        var toLocal = new ValueMapper(Map, toLocal: true);
        Assert.Equal(local, toLocal.Map(upstream));
        var toUpstream = new ValueMapper(Map, toLocal: false);
        Assert.Equal(upstream, toUpstream.Map(local));
        Assert.False(toLocal.Failed || toUpstream.Failed);
    }

    [Fact]
    public void Map_Array_OriginalUntouched()
    {
        NodeId[] ids = [new(1, 1)];
        new ValueMapper(Map, toLocal: true).Map(Variant.FromArray(BuiltInType.NodeId, ids));
        Assert.Equal(new NodeId(1, 1), ids[0]);
    }

    [Fact]
    public void Map_Argument_ItsDataTypeMapped()
    {
        var argument = new Argument { Name = "a", DataType = new NodeId(3, 1), ValueRank = -1 };
        var mapped = new ValueMapper(Map, toLocal: true).Map(Variant.FromStructure(argument));
        Assert.Equal(new NodeId(3, 5), mapped.AsStructure<Argument>()!.DataType);
    }

    [Fact]
    public void Map_UnknownStructure_TypeMappedBodyKept()
    {
        var value = new Variant(new ExtensionObject(new NodeId(9, 2), [1, 2, 3]));
        var mapped = new ValueMapper(Map, toLocal: true).Map(value).AsExtensionObject();
        Assert.Equal(new NodeId(9, 6), mapped.TypeId);
        Assert.Equal([1, 2, 3], (byte[])mapped.Body!);
    }

    [Fact]
    public void Map_NamespaceOfTheGatewayOnly_Failed()
    {
        var mapper = new ValueMapper(Map, toLocal: false);
        mapper.Map(new Variant(new NodeId(1, 2)));
        Assert.True(mapper.Failed);
    }

    [Theory]
    [InlineData(BuiltInType.Double, false)]
    [InlineData(BuiltInType.LocalizedText, false)]
    [InlineData(BuiltInType.NodeId, true)]
    [InlineData(BuiltInType.Variant, true)]
    public void HasIndexes_TypesThatPassAsBytes_False(BuiltInType type, bool expected) =>
        Assert.Equal(expected, ValueMapper.HasIndexes(type));

    private static (Variant Upstream, Variant Local)[] Pairs() =>
    [
        (new Variant(new NodeId("a", 1)), new Variant(new NodeId("a", 5))),
        (new Variant(new NodeId(85)), new Variant(new NodeId(85))),
        (new Variant(new QualifiedName("q", 2)), new Variant(new QualifiedName("q", 6))),
        (new Variant(new ExpandedNodeId(new NodeId(7, 1))), new Variant(new ExpandedNodeId(new NodeId(7, 5)))),
        (Foreign(), Foreign()),
        (InDataValue(1), InDataValue(5)),
        (Array(new NodeId(1, 1), new NodeId(2, 2)), Array(new NodeId(1, 5), new NodeId(2, 6))),
        (Nested(new NodeId(1, 1)), Nested(new NodeId(1, 5))),
        (Matrix(1), Matrix(5)),
        (new Variant(1.5), new Variant(1.5)),
    ];

    private static Variant Foreign() => new(new ExpandedNodeId(new NodeId(7), "urn:x"));

    private static Variant InDataValue(ushort index) => new(new DataValue(new Variant(new NodeId(7, index))));

    private static Variant Array(params NodeId[] ids) => Variant.FromArray(BuiltInType.NodeId, ids);

    private static Variant Nested(NodeId id) =>
        Variant.FromArray(BuiltInType.Variant, new Variant[] { new(id), Array(id), new("text") });

    private static Variant Matrix(ushort index) => Variant.FromMatrix(
        BuiltInType.NodeId, new Matrix(new NodeId[] { new(1, index), new(2, index) }, [1, 2]));
}
