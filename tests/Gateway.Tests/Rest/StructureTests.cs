using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Range = Gateway.Codec.Structures.Range;

namespace Gateway.Tests.Rest;

/// <summary>Structures over HTTP are JSON objects with all of their fields: those that the codec declares, and those
/// that only a DataTypeDefinition in the address space defines.</summary>
[Collection(RestFixture.Name)]
public sealed class StructureTests
{
    private const string Uri = "nsu=urn:gateway:simulator;";

    private readonly RestGateway _gateway;
    private readonly NodeTable _nodes;

    public StructureTests(RestFixture fixture)
    {
        _gateway = fixture.Gateway;
        _nodes = _gateway.Host.Get<NodeTable>();
        if (_nodes.Find(Id("Recipe")).IsNone)
            AddNodes();
    }

    [Fact]
    public async Task Read_ServerStatus_HasItsFields()
    {
        var value = await ReadAsync("i=2256");

        Assert.Equal("i=862", value.GetProperty("UaTypeId").GetString());
        Assert.Equal("Running_0", value.GetProperty("State").GetString());
        Assert.NotEqual("", value.GetProperty("BuildInfo").GetProperty("ProductName").GetString());
        Assert.Equal(0, value.GetProperty("SecondsTillShutdown").GetInt32());
    }

    [Fact]
    public async Task Read_EURange_HasBothEndsAndNoBase64()
    {
        var first = Enumerable.Range(1, _nodes.HandleEnd - 1).Select(static index => new NodeHandle(index)).First(
            node => _nodes.GetNodeId(node).NamespaceIndex == 2 && _nodes.GetBrowseName(node).Name == "EURange");
        var value = await ReadAsync(_nodes.GetNodeId(first).ToString());

        Assert.Equal("i=884", value.GetProperty("UaTypeId").GetString());
        Assert.Equal(JsonValueKind.Number, value.GetProperty("Low").ValueKind);
        Assert.Equal(JsonValueKind.Number, value.GetProperty("High").ValueKind);
    }

    [Theory]
    [InlineData("""{"Low":0,"High":100}""")]
    [InlineData("""{"High":100}""")]
    [InlineData("""{"UaTypeId":"i=884","Low":0,"High":100}""")]
    [InlineData("""{"High":1e2,"UaTypeId":"i=884"}""")]
    public async Task Write_Range_WithOrWithoutItsType_IsReadBackWhole(string json)
    {
        Assert.Equal("Good", (await WriteAsync("Range", json)).GetProperty("status").GetString());

        var value = await ReadAsync("ns=2;s=Range");
        Assert.Equal("""{"UaTypeId":"i=884","Low":0,"High":100}""", value.GetRawText());
    }

    [Theory]
    [InlineData("Range", """{"Lwo":1}""", "unknown member \"Lwo\"")]
    [InlineData("Range", """{"Low":1,"Low":2}""", "the member Low is there twice")]
    [InlineData("Range", """{"Low":"x"}""", "$.Low: expected Double")]
    [InlineData("Range", "7", "expected an object")]
    [InlineData("Range", """{"UaTypeId":"i=887","UnitId":1}""", "expected a structure, as a JSON object")]
    [InlineData("Ranges", """{"Low":1}""", "expected an array of a structure, as a JSON object")]
    [InlineData("Ranges", """[{"Low":1},{"Lwo":1}]""", "$[1]: unknown member \"Lwo\"")]
    [InlineData("Structure", """{"Low":1}""", "expected a member UaTypeId")]
    public async Task Write_WhatIsNoSuchStructure_SaysWhatTheReaderSaw(string node, string json, string message)
    {
        var result = await WriteAsync(node, json);

        Assert.Equal("BadTypeMismatch", result.GetProperty("status").GetString());
        Assert.StartsWith(message, result.GetProperty("message").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Write_StructureOfATypeThatNobodyKnows_SaysSo()
    {
        var result = await WriteAsync("Structure", """{"UaTypeId":"nsu=urn:gateway:simulator;i=77","A":1}""");

        Assert.Equal("BadDataTypeIdUnknown", result.GetProperty("status").GetString());
    }

    [Fact]
    public async Task Write_ArrayOfStructures_IsReadBack()
    {
        Assert.Equal("Good", (await WriteAsync(
            "Ranges", """[{"Low":1,"High":2},{"UaTypeId":"i=884","High":3}]""")).GetProperty("status").GetString());

        Assert.Equal(
            """[{"UaTypeId":"i=884","Low":1,"High":2},{"UaTypeId":"i=884","Low":0,"High":3}]""",
            (await ReadAsync("ns=2;s=Ranges")).GetRawText());
    }

    /// <summary>With a nested structure, an enumeration and a matrix. The DataType is known by its definition alone.
    /// </summary>
    [Fact]
    public async Task Write_DefinedStructure_IsReadBackWithAllOfIt()
    {
        const string json =
            """{"Name":"Cola","Fill":{"Low":1,"High":2},"Mode":"Fast_5","M":{"Array":[1,2,3,4],"Dimensions":[2,2]}}""";
        Assert.Equal("Good", (await WriteAsync("RecipeNow", json)).GetProperty("status").GetString());

        Assert.Equal(
            $$"""{"UaTypeId":"{{Uri}}s=Recipe",{{json[1..]}}""", (await ReadAsync("ns=2;s=RecipeNow")).GetRawText());

        using var stream = await EventReader.OpenAsync(
            _gateway.Operator, "interval=3600000", ["ns=2;s=RecipeNow"]);
        var (_, first) = await stream.NextAsync();
        Assert.Equal("Cola", first.GetProperty("values")[0].GetProperty("value").GetProperty("Name").GetString());
    }

    [Theory]
    [InlineData("""{"Range":{"Low":1,"High":5}}""")]
    [InlineData("""[{"UaTypeId":"i=884","Low":1,"High":5}]""")]
    public async Task Call_StructureAsArgument_TakesAndReturnsIt(string inputs)
    {
        var (status, json) = await RestGateway.SendAsync(
            _gateway.Operator, HttpMethod.Post, "/api/v1/call",
            $$"""{"object":"ns=2;s=Methods","method":"ns=2;s=Widen","inputs":{{inputs}}}""");

        Assert.Equal(200, status);
        Assert.Equal(
            """{"status":"Good","outputs":[{"UaTypeId":"i=884","Low":0,"High":6}]}""", json.GetRawText());
    }

    [Theory]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{}")]
    public async Task Call_WithoutInputs_NullIsNone(string inputs)
    {
        var (status, _) = await RestGateway.SendAsync(
            _gateway.Operator, HttpMethod.Post, "/api/v1/call",
            $$"""{"object":"ns=2;s=Methods","method":"ns=2;s=Quiet","inputs":{{inputs}}}""");

        Assert.Equal(200, status);
    }

    private static NodeId Id(string id) => new(id, 2);

    private async Task<JsonElement> ReadAsync(string node)
    {
        var (status, json) = await RestGateway.GetAsync(
            _gateway.Operator, RestGateway.Query("/api/v1/values", node));
        Assert.Equal(200, status);
        return json.GetProperty("values")[0].GetProperty("value");
    }

    private async Task<JsonElement> WriteAsync(string node, string value)
    {
        var (status, json) = await RestGateway.SendAsync(
            _gateway.Operator, HttpMethod.Put, "/api/v1/values",
            $$"""{"values":[{"node":"ns=2;s={{node}}","value":{{value}}}]}""");
        Assert.Equal(200, status);
        return json.GetProperty("results")[0];
    }

    private void AddNodes()
    {
        var source = new StoreSource(_gateway.Host.Get<ValueStore>(), TimeProvider.System);
        var range = new NodeId(StandardIds.DataTypes.Range);
        var batch = new NodeBatch();
        AddDataTypes(batch);
        AddVariable(batch, source, "Range", range, -1);
        AddVariable(batch, source, "Ranges", range, 1);
        AddVariable(batch, source, "Structure", new NodeId(StandardIds.DataTypes.Structure), -1);
        AddVariable(batch, source, "RecipeNow", Id("Recipe"), -1);
        var methods = new Widening();
        batch.AddMethod(Id("Widen"), new QualifiedName("Widen", 2), methods, Id("Methods"));
        batch.AddMethod(Id("Quiet"), new QualifiedName("Quiet", 2), methods, Id("Methods"));
        batch.AddProperty(
            Id("Widen.In"), new QualifiedName("InputArguments"),
            new VariableFacts(new NodeId(StandardIds.DataTypes.Argument), 1), source, Id("Widen"));
        _nodes.Apply(batch);
        _gateway.Set("Widen.In", Variant.FromArray(BuiltInType.ExtensionObject, new[]
        {
            new ExtensionObject(new Argument { Name = "Range", DataType = range, ValueRank = -1 }),
        }));
    }

    /// <summary>As a NodeSet or an upstream brings them.</summary>
    private static void AddDataTypes(NodeBatch batch)
    {
        AddDataType(batch, "Mode", StandardIds.DataTypes.Enumeration, new EnumDefinition
        {
            Fields = [new EnumField { Name = "Slow", Value = 1 }, new EnumField { Name = "Fast", Value = 5 }],
        });
        AddDataType(batch, "Recipe", StandardIds.DataTypes.Structure, new StructureDefinition
        {
            DefaultEncodingId = Id("Recipe.Binary"),
            BaseDataType = new NodeId(StandardIds.DataTypes.Structure),
            Fields =
            [
                new StructureField { Name = "Name", DataType = new NodeId(12), ValueRank = -1 },
                new StructureField { Name = "Fill", DataType = new NodeId(884), ValueRank = -1 },
                new StructureField { Name = "Mode", DataType = Id("Mode"), ValueRank = -1 },
                new StructureField { Name = "M", DataType = new NodeId(11), ValueRank = 2 },
            ],
        });
        batch.AddObject(
            Id("Recipe.Binary"), new QualifiedName("Default Binary"), Id("Recipe"), new NodeId(76),
            new NodeId(StandardIds.ReferenceTypes.HasEncoding));
    }

    private static void AddDataType(NodeBatch batch, string id, uint superType, DataTypeDefinition definition) => batch
        .AddNode(new NodeDefinition
        {
            NodeId = Id(id),
            NodeClass = NodeClass.DataType,
            BrowseName = new QualifiedName(id, 2),
            DataTypeDefinition = definition,
        })
        .AddReference(new NodeId(superType), new NodeId(StandardIds.ReferenceTypes.HasSubtype), Id(id));

    private static void AddVariable(NodeBatch batch, StoreSource source, string id, NodeId dataType, int rank) =>
        batch.AddVariable(
            Id(id), new QualifiedName(id, 2),
            new VariableFacts(
                dataType, rank, AccessLevel: AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite),
            source, Id("Methods"));

    /// <summary>A range that is one wider at each end.</summary>
    private sealed class Widening : IMethodSource
    {
        public ValueTask<CallMethodResult> CallAsync(
            NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct) => ValueTask.FromResult(
                new CallMethodResult
                {
                    OutputArguments = inputs is [var range] && range.AsStructure<Range>() is { } given
                        ? [Variant.FromStructure(new Range { Low = given.Low - 1, High = given.High + 1 })]
                        : [],
                });
    }
}
