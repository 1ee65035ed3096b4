using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Tests.Nodes;

/// <summary>The structures of a table are those of its DataTypes as they are now.</summary>
public sealed class TableStructuresTests
{
    private static readonly NodeId Recipe = new("Recipe", 1);
    private static readonly NodeId Encoding = new("Recipe.Binary", 1);

    private readonly AddressSpaces _space = AddressSpaces.Standard();
    private readonly TableStructures _structures;

    public TableStructuresTests()
    {
        _space.Nodes.Namespaces.GetOrAdd("urn:test");
        _structures = new TableStructures(_space.Nodes);
        _space.Nodes.Apply(new NodeBatch()
            .AddNode(RecipeOf("Speed"))
            .AddReference(new NodeId(StandardIds.DataTypes.Structure), HasSubtype, Recipe)
            .AddObject(
                Encoding, new QualifiedName("Default Binary"), Recipe, new NodeId(76),
                new NodeId(StandardIds.ReferenceTypes.HasEncoding)));
    }

    private static NodeId HasSubtype => new(StandardIds.ReferenceTypes.HasSubtype);

    [Fact]
    public void Current_DefinitionUpdated_HasTheNewNames()
    {
        Assert.Equal("""{"Speed":7}""", TextOf(Recipe));

        _space.Nodes.Apply(new NodeBatch().Update(_space.Nodes.Find(Recipe), RecipeOf("Rate")));

        Assert.Equal("""{"Rate":7}""", TextOf(Recipe));
        Assert.Same(_structures.Current.FindByDataType(Recipe), _structures.Current.FindByEncoding(Encoding));
    }

    [Fact]
    public void Current_OtherNodesChanged_IsTheSame()
    {
        var before = _structures.Current;

        var id = new NodeId("V", 1);
        _space.Nodes.Apply(new NodeBatch().AddVariable(
            id, new QualifiedName("V", 1), new VariableFacts(Recipe), null, new NodeId(StandardIds.Objects.Server)));
        _space.Nodes.Apply(new NodeBatch().Remove(_space.Nodes.Find(id)));

        Assert.Same(before, _structures.Current);
    }

    [Fact]
    public void Current_EncodingRemovedAndAdded_IsUnknownAndKnownAgain()
    {
        Assert.NotNull(_structures.Current.FindByDataType(Recipe));

        _space.Nodes.Apply(new NodeBatch().Remove(_space.Nodes.Find(Encoding)));
        Assert.Null(_structures.Current.FindByDataType(Recipe));

        var again = new NodeId("Again", 1);
        _space.Nodes.Apply(new NodeBatch().AddObject(again, new QualifiedName("Default Binary"), default));
        _space.Nodes.Apply(new NodeBatch().AddReference(
            Recipe, new NodeId(StandardIds.ReferenceTypes.HasEncoding), again));
        Assert.NotNull(_structures.Current.FindByEncoding(again));
    }

    [Fact]
    public void Current_DataTypeRemoved_IsUnknown()
    {
        Assert.NotNull(_structures.Current.FindByEncoding(Encoding));

        _space.Nodes.Apply(new NodeBatch().Remove(_space.Nodes.Find(Recipe)));

        Assert.Null(_structures.Current.FindByEncoding(Encoding));
    }

    /// <summary>An id in a value of a peer may be any node's.</summary>
    [Fact]
    public void DataTypeOf_NodeThatIsNoEncoding_IsNotKnown()
    {
        Assert.True(_structures.Current.DataTypeOf(new NodeId(StandardIds.Objects.Server)).IsNull);
        Assert.True(_structures.Current.EncodingOf(
            new NodeId(StandardIds.Objects.Server), ExtensionObjectEncoding.Binary).IsNull);
    }

    private static NodeDefinition RecipeOf(string field) => new()
    {
        NodeId = Recipe,
        NodeClass = NodeClass.DataType,
        BrowseName = new QualifiedName("Recipe", 1),
        DataTypeDefinition = new StructureDefinition
        {
            DefaultEncodingId = Encoding,
            BaseDataType = new NodeId(StandardIds.DataTypes.Structure),
            Fields = [new StructureField { Name = field, DataType = new NodeId(6), ValueRank = -1 }],
        },
    };

    private string TextOf(NodeId dataType)
    {
        var writer = UaJsonWriter.Rent(JsonFormat.Verbose);
        Assert.True(_structures.Current.FindByDataType(dataType)!.TryWrite(writer, BitConverter.GetBytes(7)));
        var text = Utf8(writer.WrittenSpan);
        writer.Return();
        return text;
    }

    private static string Utf8(ReadOnlySpan<byte> text) => System.Text.Encoding.UTF8.GetString(text);
}
