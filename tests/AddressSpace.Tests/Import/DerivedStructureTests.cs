using Gateway.AddressSpace.Import;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Tests.Import;

/// <summary>What a structure inherits decides with its own fields how it is encoded. Source: Part 3 §8.48, §8.49;
/// Part 6 §5.2.7.</summary>
public sealed class DerivedStructureTests : IDisposable
{
    private const string Optional =
        """<Field Name="A" DataType="Int32" /><Field Name="B" DataType="Int32" IsOptional="true" />""";

    private const string Subtyped =
        """<Field Name="A" DataType="Int32" /><Field Name="B" DataType="Structure" AllowSubTypes="true" />""";

    private const string Plain = """<Field Name="C" DataType="Int32" />""";

    private readonly AddressSpaces _space = AddressSpaces.Standard();
    private readonly string _folder = Directory.CreateTempSubdirectory("nodesets").FullName;

    public DerivedStructureTests() => _space.Nodes.Namespaces.GetOrAdd("urn:test:server");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(Plain, Plain, StructureType.Structure)]
    [InlineData(Optional, Plain, StructureType.StructureWithOptionalFields)]
    [InlineData(Optional, "", StructureType.StructureWithOptionalFields)]
    [InlineData(Optional, null, StructureType.StructureWithOptionalFields)]
    [InlineData(Plain, Optional, StructureType.StructureWithOptionalFields)]
    [InlineData(Optional, Optional, StructureType.StructureWithOptionalFields)]
    [InlineData(Subtyped, Plain, StructureType.StructureWithSubtypedValues)]
    public void Definition_OfDerived_TellsTheKindOfAllItsFields(string above, string? below, StructureType expected)
    {
        Load(Type(1, "i=22", above) + Type(2, "ns=1;i=1", below) + Type(3, "ns=1;i=2", Plain));
        Assert.Equal(expected, Definition(2)!.StructureType);
        Assert.Equal(expected, Definition(3)!.StructureType);
        Assert.Equal(new NodeId(1, 2), Definition(2)!.BaseDataType);
        Assert.Equal(Definition(2)!.Fields!.Length + 1, Definition(3)!.Fields!.Length);
    }

    [Theory]
    [InlineData(Optional, Subtyped)]
    [InlineData(Subtyped, Optional)]
    public void Definition_OfMixedKinds_IsNotTold(string above, string below)
    {
        Load(Type(1, "i=22", above) + Type(2, "ns=1;i=1", below));
        Assert.NotNull(Definition(1));
        Assert.Null(Definition(2));
    }

    [Fact]
    public void Value_OfDerived_IsEncodedWithTheMaskOfInheritedFields()
    {
        Load(Type(1, "i=22", Optional) + Type(2, "ns=1;i=1", Plain) + """
            <UAVariable NodeId="ns=1;s=V" BrowseName="1:V" DataType="ns=1;i=2">
              <References><Reference ReferenceType="HasTypeDefinition">i=63</Reference></References>
              <Value>
                <ExtensionObject xmlns="http://opcfoundation.org/UA/2008/02/Types.xsd">
                  <TypeId><Identifier>ns=1;i=12</Identifier></TypeId>
                  <Body><T2><A>1</A><B>2</B><C>3</C></T2></Body>
                </ExtensionObject>
              </Value>
            </UAVariable>
            """);
        var value = _space.Values.Read(_space.Nodes.Find(new NodeId("V", 2))).Value.AsExtensionObject();
        byte[] expected = [1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0];
        Assert.Equal(expected, Assert.IsType<byte[]>(value.Body));
    }

    private static string Type(int id, string super, string? fields) =>
        $"""
        <UADataType NodeId="ns=1;i={id}" BrowseName="1:T{id}">
          <References><Reference ReferenceType="HasSubtype" IsForward="false">{super}</Reference></References>
          {(fields is null ? "" : $"<Definition Name=\"1:T{id}\">{fields}</Definition>")}
        </UADataType>
        <UAObject NodeId="ns=1;i={id + 10}" BrowseName="Default Binary">
          <References>
            <Reference ReferenceType="HasTypeDefinition">i=76</Reference>
            <Reference ReferenceType="HasEncoding" IsForward="false">ns=1;i={id}</Reference>
          </References>
        </UAObject>
        """;

    private StructureDefinition? Definition(uint id) =>
        _space.Nodes.ReadAttribute(
            _space.Nodes.Find(new NodeId(id, 2)), AttributeId.DataTypeDefinition, out var value).IsGood
            ? value.AsStructure<StructureDefinition>()
            : null;

    private void Load(string nodes)
    {
        var path = Path.Combine(_folder, "test.xml");
        File.WriteAllText(path, $"""
            <UANodeSet xmlns="http://opcfoundation.org/UA/2011/03/UANodeSet.xsd">
            <NamespaceUris><Uri>urn:test:model</Uri></NamespaceUris>
            <Models><Model ModelUri="urn:test:model" /></Models>
            <Aliases>
              <Alias Alias="Int32">i=6</Alias><Alias Alias="Structure">i=22</Alias>
              <Alias Alias="HasSubtype">i=45</Alias><Alias Alias="HasEncoding">i=38</Alias>
              <Alias Alias="HasTypeDefinition">i=40</Alias>
            </Aliases>
            {nodes}
            </UANodeSet>
            """);
        new NodeSetImporter(_space.Nodes, _space.Values, _space.Source, NodeSetLimits.Default).LoadFile(path);
    }
}
