using System.Text;
using Gateway.AddressSpace.Import;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Definitions;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Tests.Import;

/// <summary>Two writers that know nothing of each other: the generated one goes by a declaration, the importer's by a
/// DataTypeDefinition. They give the same bytes. Source: Part 6 §5.2.7, §5.2.8.</summary>
public sealed class GeneratedStructureTests : IDisposable
{
    private const string OptionalFields = """
        <Field Name="X" DataType="Int32" />
        <Field Name="O1" DataType="Int32" IsOptional="true" />
        <Field Name="Y" DataType="SByte" />
        <Field Name="O2" DataType="Int32" IsOptional="true" />
        <Field Name="Text" DataType="String" IsOptional="true" />
        <Field Name="NodeId" DataType="NodeId" IsOptional="true" />
        <Field Name="Kind" DataType="i=257" IsOptional="true" />
        <Field Name="Struct" DataType="i=626" IsOptional="true" />
        <Field Name="Class" DataType="i=296" IsOptional="true" />
        <Field Name="Numbers" DataType="Double" ValueRank="1" IsOptional="true" />
        <Field Name="Classes" DataType="i=296" ValueRank="1" IsOptional="true" />
        <Field Name="Next" DataType="ns=1;i=1" IsOptional="true" />
        """;

    private const string UnionFields = """
        <Field Name="Field1" DataType="Int32" /><Field Name="Field2" DataType="String" />
        <Field Name="Kind" DataType="i=257" /><Field Name="Struct" DataType="i=626" />
        <Field Name="Class" DataType="i=296" /><Field Name="Numbers" DataType="Double" ValueRank="1" />
        <Field Name="Inner" DataType="ns=1;i=3" /><Field Name="Several" DataType="ns=1;i=3" ValueRank="1" />
        """;

    private const string DerivedFields =
        """<Field Name="Z" DataType="Byte" /><Field Name="O3" DataType="Byte" IsOptional="true" />""";

    private const string Argument =
        "<Name>a</Name><DataType><Identifier>i=6</Identifier></DataType><ValueRank>-1</ValueRank>";

    private static readonly Argument Parsed = new() { Name = "a", DataType = new NodeId(6), ValueRank = -1 };

    private readonly AddressSpaces _space = AddressSpaces.Standard();
    private readonly string _folder = Directory.CreateTempSubdirectory("nodesets").FullName;

    public GeneratedStructureTests() => _space.Nodes.Namespaces.GetOrAdd("urn:test:server");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void OptionalFields_OfBothWriters_AreTheSameBytes()
    {
        AssertSame(1, "", new OptionalSample());
        AssertSame(1, "<X>7</X><Y>-1</Y><O2>5</O2>", new OptionalSample { X = 7, Y = -1, O2 = 5 });
        AssertSame(1, "<O1>0</O1><Text>t</Text>", new OptionalSample { O1 = 0, Text = "t" });
        AssertSame(
            1,
            $"""
            <NodeId><Identifier>i=85</Identifier></NodeId><Kind>Method_4</Kind><Class>{Argument}</Class>
            <Numbers><Double>1.5</Double></Numbers><Classes><Argument>{Argument}</Argument></Classes>
            <Next><X>1</X><O2>2</O2></Next>
            """,
            new OptionalSample
            {
                NodeId = new NodeId(85),
                Kind = NodeClass.Method,
                Class = Parsed,
                Numbers = [1.5],
                Classes = [Parsed],
                Next = new() { X = 1, O2 = 2 },
            });
    }

    [Fact]
    public void OptionalFields_OfADerivedStructure_AreTheSameBytes()
    {
        AssertSame(2, "<X>1</X><Z>2</Z>", new DerivedOptionalSample { X = 1, Z = 2 });
        AssertSame(2, "<O1>1</O1><O3>3</O3>", new DerivedOptionalSample { O1 = 1, O3 = 3 });
    }

    [Fact]
    public void Union_OfBothWriters_IsTheSameBytes()
    {
        AssertSame(3, "", new UnionSample());
        AssertSame(3, "<Field1>7</Field1>", new UnionSample { Field1 = 7 });
        AssertSame(3, "<Field2>text</Field2>", new UnionSample { Field2 = "text" });
        AssertSame(3, "<Kind>Object_1</Kind>", new UnionSample { Kind = NodeClass.Object });
        AssertSame(3, $"<Class>{Argument}</Class>", new UnionSample { Class = Parsed });
        AssertSame(3, "<Numbers><Double>1</Double></Numbers>", new UnionSample { Numbers = [1] });
        AssertSame(3, "<Inner><Field1>1</Field1></Inner>", new UnionSample { Inner = new() { Field1 = 1 } });
        AssertSame(
            3,
            "<Several><T3><Field2>a</Field2></T3><T3 /></Several>",
            new UnionSample { Several = [new() { Field2 = "a" }, new()] });
    }

    private void AssertSame(int type, string body, IStructure value)
    {
        var name = $"V{_space.Nodes.Count}";
        var path = Path.Combine(_folder, "test.xml");
        File.WriteAllText(path, $"""
            <UANodeSet xmlns="http://opcfoundation.org/UA/2011/03/UANodeSet.xsd">
            <NamespaceUris><Uri>urn:test:{name}</Uri></NamespaceUris>
            <Models><Model ModelUri="urn:test:{name}" /></Models>
            <Aliases>
              <Alias Alias="Byte">i=3</Alias><Alias Alias="SByte">i=2</Alias><Alias Alias="Int32">i=6</Alias>
              <Alias Alias="Double">i=11</Alias><Alias Alias="String">i=12</Alias><Alias Alias="NodeId">i=17</Alias>
              <Alias Alias="HasSubtype">i=45</Alias><Alias Alias="HasEncoding">i=38</Alias>
              <Alias Alias="HasTypeDefinition">i=40</Alias>
            </Aliases>
            {Type(1, "i=22", "", OptionalFields)}{Type(2, "ns=1;i=1", "", DerivedFields)}
            {Type(3, "i=12756", "IsUnion=\"true\"", UnionFields)}
            <UAVariable NodeId="ns=1;s=V" BrowseName="1:V" DataType="ns=1;i={type}">
              <References><Reference ReferenceType="HasTypeDefinition">i=63</Reference></References>
              <Value>
                <ExtensionObject xmlns="http://opcfoundation.org/UA/2008/02/Types.xsd">
                  <TypeId><Identifier>ns=1;i={type + 10}</Identifier></TypeId><Body><T{type}>{body}</T{type}></Body>
                </ExtensionObject>
              </Value>
            </UAVariable>
            </UANodeSet>
            """);
        new NodeSetImporter(_space.Nodes, _space.Values, _space.Source, NodeSetLimits.Default).LoadFile(path);
        var index = _space.Nodes.Namespaces.GetOrAdd($"urn:test:{name}");
        var imported = _space.Values.Read(_space.Nodes.Find(new NodeId("V", index))).Value.AsExtensionObject();

        var bytes = Assert.IsType<byte[]>(imported.Body);
        Assert.Equal(Wire.Encode(value), bytes);
        AssertSameJson(imported.TypeId, bytes, (IJsonStructure)value);
    }

    /// <summary>The same again in JSON: by the definition from the bytes, and by the declaration.</summary>
    private void AssertSameJson(NodeId encodingId, byte[] bytes, IJsonStructure value)
    {
        var structures = new DefinedStructures(new TableDefinitions(_space.Nodes));
        var defined = structures.FindByEncoding(encodingId);
        Assert.NotNull(defined);
        Assert.Same(defined, structures.FindByDataType(defined.DataTypeId));
        foreach (var encoding in Enum.GetValues<JsonEncoding>())
        {
            var writer = UaJsonWriter.Rent(new JsonFormat { Encoding = encoding });
            value.Encode(writer);
            var expected = writer.WrittenSpan.ToArray();
            writer.Reset();
            Assert.True(defined.TryWrite(writer, bytes));
            Assert.Equal(Encoding.UTF8.GetString(expected), Encoding.UTF8.GetString(writer.WrittenSpan));
            writer.Return();
            if (encoding == JsonEncoding.NonReversible)
                continue;
            var reader = new UaJsonReader(expected);
            Assert.Equal(bytes, defined.Read(ref reader).Body);
            Assert.False(reader.Failed, reader.Problem);
        }
    }

    private static string Type(int id, string super, string attribute, string fields) =>
        $"""
        <UADataType NodeId="ns=1;i={id}" BrowseName="1:T{id}">
          <References><Reference ReferenceType="HasSubtype" IsForward="false">{super}</Reference></References>
          <Definition Name="1:T{id}" {attribute}>{fields}</Definition>
        </UADataType>
        <UAObject NodeId="ns=1;i={id + 10}" BrowseName="Default Binary">
          <References>
            <Reference ReferenceType="HasTypeDefinition">i=76</Reference>
            <Reference ReferenceType="HasEncoding" IsForward="false">ns=1;i={id}</Reference>
          </References>
        </UAObject>
        """;
}
