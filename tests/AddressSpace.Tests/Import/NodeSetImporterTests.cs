using Gateway.AddressSpace.Import;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Tests.Import;

public sealed class NodeSetImporterTests : IDisposable
{
    private const string Uri = "urn:test:model";
    private readonly AddressSpaces _space = AddressSpaces.Standard();
    private readonly string _folder = Directory.CreateTempSubdirectory("nodesets").FullName;

    public NodeSetImporterTests() => _space.Nodes.Namespaces.GetOrAdd("urn:test:server");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [NodeSetFact]
    public void LoadFiles_DiAndMachineryInAnyOrder_NothingDangles()
    {
        var results = Importer().LoadFiles(
        [
            NodeSetFiles.Get("Opc.Ua.Machinery.NodeSet2.xml"),
            NodeSetFiles.Get("Opc.Ua.IA.NodeSet2.xml"),
            NodeSetFiles.Get("Opc.Ua.Di.NodeSet2.xml"),
        ]);
        Assert.Empty(results.SelectMany(r => r.Warnings));
        Assert.Empty(_space.Inconsistencies());
        Assert.True(_space.Nodes.Namespaces.TryGetIndex("http://opcfoundation.org/UA/Machinery/", out var machinery));
        var machines = _space.Nodes.Find(new NodeId(1001, machinery));
        Assert.Equal("Machines", _space.Nodes.GetBrowseName(machines).Name);
        Assert.Equal(new NodeId(85), ParentOf(machines));
        Assert.True(_space.Nodes.Namespaces.TryGetIndex("http://opcfoundation.org/UA/DI/", out var di));
        Assert.True(_space.Nodes.IsSubtypeOf(new NodeId(15063, di), new NodeId(58)));
    }

    [NodeSetFact]
    public void LoadFiles_EveryModelOfThePackage_IsLoaded()
    {
        var files = Directory.GetFiles(NodeSetFiles.Folder, "*.xml")
            .Where(f => Path.GetFileName(f) != "Opc.Ua.NodeSet2.xml").ToList();
        var results = Importer().LoadFiles(files);
        Assert.Equal(files.Count, results.Count);
        Assert.True(results.Sum(r => r.Nodes) > 10_000);
        Assert.Empty(_space.Inconsistencies());
    }

    [Fact]
    public void LoadFile_NamespacesAndAliases_AreMapped()
    {
        Load("""
            <UAVariable NodeId="ns=1;s=V" BrowseName="1:V" DataType="Double" AccessLevel="3" Historizing="true"
                        MinimumSamplingInterval="50">
              <DisplayName Locale="de">Wert</DisplayName>
              <DisplayName Locale="en">Value</DisplayName>
              <Description>What it is</Description>
              <References>
                <Reference ReferenceType="HasTypeDefinition">i=63</Reference>
                <Reference ReferenceType="Organizes" IsForward="false">i=85</Reference>
              </References>
              <Value><Double xmlns="http://opcfoundation.org/UA/2008/02/Types.xsd">2.5</Double></Value>
            </UAVariable>
            """);
        var node = _space.Nodes.Find(new NodeId("V", 2));
        Assert.Equal(new QualifiedName("V", 2), _space.Nodes.GetBrowseName(node));
        Assert.Equal(new LocalizedText("Wert", "de"), _space.Nodes.GetDisplayName(node));
        Assert.Equal(new LocalizedText("Value", "en"), _space.Nodes.GetDisplayName(node, ["fr", "en"]));
        Assert.Equal(["de", "en"], _space.Nodes.Locales);
        var facts = _space.Nodes.GetVariableFacts(node);
        Assert.Equal(BuiltInType.Double, facts.BuiltInType);
        Assert.Equal((50.0, false), (facts.MinimumSamplingInterval, facts.Historizing));
        Assert.True(facts.IsWritable);
        Assert.Equal(StatusCodes.Good, _space.Nodes.ReadAttribute(node, AttributeId.Description, out var text).Code);
        Assert.Equal("What it is", text.AsLocalizedText().Text);
        Assert.Equal(new Variant(2.5), _space.Values.Read(node).Value);
        Assert.Equal(new NodeId(85), ParentOf(node));
    }

    [Fact]
    public void LoadFile_OwnStructure_IsEncodedByItsDefinition()
    {
        Load("""
            <UADataType NodeId="ns=1;i=1" BrowseName="1:Point">
              <References><Reference ReferenceType="HasSubtype" IsForward="false">i=22</Reference></References>
              <Definition Name="1:Point">
                <Field Name="X" DataType="Int32" /><Field Name="Names" DataType="String" ValueRank="1" />
              </Definition>
            </UADataType>
            <UAObject NodeId="ns=1;i=2" BrowseName="Default Binary">
              <References>
                <Reference ReferenceType="HasTypeDefinition">i=76</Reference>
                <Reference ReferenceType="HasEncoding" IsForward="false">ns=1;i=1</Reference>
              </References>
            </UAObject>
            <UAObject NodeId="ns=1;i=3" BrowseName="Default XML">
              <References>
                <Reference ReferenceType="HasTypeDefinition">i=76</Reference>
                <Reference ReferenceType="HasEncoding" IsForward="false">ns=1;i=1</Reference>
              </References>
            </UAObject>
            <UAVariable NodeId="ns=1;s=V" BrowseName="1:V" DataType="ns=1;i=1">
              <References><Reference ReferenceType="HasTypeDefinition">i=63</Reference></References>
              <Value>
                <ExtensionObject xmlns="http://opcfoundation.org/UA/2008/02/Types.xsd">
                  <TypeId><Identifier>ns=1;i=3</Identifier></TypeId>
                  <Body><Point><X>7</X><Names><String>a</String><String>b</String></Names></Point></Body>
                </ExtensionObject>
              </Value>
            </UAVariable>
            """);
        var value = _space.Values.Read(_space.Nodes.Find(new NodeId("V", 2))).Value.AsExtensionObject();
        Assert.Equal(new NodeId(2, 2), value.TypeId);
        byte[] expected = [7, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, (byte)'a', 1, 0, 0, 0, (byte)'b'];
        Assert.Equal(expected, Assert.IsType<byte[]>(value.Body));
        _space.Nodes.ReadAttribute(
            _space.Nodes.Find(new NodeId(1, 2)), AttributeId.DataTypeDefinition, out var definition);
        Assert.Equal(new NodeId(2, 2), definition.AsStructure<StructureDefinition>()!.DefaultEncodingId);
    }

    [Fact]
    public void LoadFile_KnownStructures_AreDecoded()
    {
        Load(Variable("i=884", """
            <ExtensionObject><TypeId><Identifier>i=885</Identifier></TypeId>
              <Body><Range><Low>-1.5</Low><High>INF</High></Range></Body></ExtensionObject>
            """));
        var value = _space.Values.Read(_space.Nodes.Find(new NodeId("V", 2))).Value;
        var range = value.AsStructure<Codec.Structures.Range>()!;
        Assert.Equal((-1.5, double.PositiveInfinity), (range.Low, range.High));
    }

    public static TheoryData<string, object> Scalars => new()
    {
        { "<Boolean>true</Boolean>", true },
        { "<SByte>-5</SByte>", (sbyte)-5 },
        { "<Byte>200</Byte>", (byte)200 },
        { "<Int16>-300</Int16>", (short)-300 },
        { "<UInt16>300</UInt16>", (ushort)300 },
        { "<Int32>-70000</Int32>", -70000 },
        { "<UInt32>70000</UInt32>", 70000u },
        { "<Int64>-5000000000</Int64>", -5000000000L },
        { "<UInt64>18446744073709551615</UInt64>", ulong.MaxValue },
        { "<Float>NaN</Float>", float.NaN },
        { "<Double>1e300</Double>", 1e300 },
        { "<String> kept </String>", " kept " },
        { "<DateTime>2024-05-06T07:08:09Z</DateTime>", new DateTime(2024, 5, 6, 7, 8, 9, DateTimeKind.Utc) },
        { "<Guid><String>72962b91-fa75-4ae6-8d28-b404dc7daf63</String></Guid>",
            Guid.Parse("72962b91-fa75-4ae6-8d28-b404dc7daf63") },
        { "<ByteString>AQID</ByteString>", new byte[] { 1, 2, 3 } },
        { "<NodeId><Identifier>ns=1;i=5</Identifier></NodeId>", new NodeId(5, 2) },
        { "<ExpandedNodeId><Identifier>i=5</Identifier></ExpandedNodeId>", new ExpandedNodeId(new NodeId(5)) },
        { "<StatusCode><Code>2147483648</Code></StatusCode>", new StatusCode(StatusCodes.Bad) },
        {
            "<QualifiedName><NamespaceIndex>1</NamespaceIndex><Name>N</Name></QualifiedName>",
            new QualifiedName("N", 2)
        },
        { "<LocalizedText><Locale>en</Locale><Text>T</Text></LocalizedText>", new LocalizedText("T", "en") },
        { "<Variant><Value><Int32>4</Int32></Value></Variant>", 4 },
        { "<ListOfInt32><Int32>1</Int32><Int32>2</Int32></ListOfInt32>", new[] { 1, 2 } },
        { "<ListOfString><String>a</String><String/></ListOfString>", new[] { "a", "" } },
    };

    [Theory]
    [MemberData(nameof(Scalars))]
    public void LoadFile_ValueOfEachType_IsStored(string xml, object expected)
    {
        Load(Variable("i=24", xml));
        Assert.Equal(expected, _space.Values.Read(_space.Nodes.Find(new NodeId("V", 2))).Value.ToObject());
    }

    [Fact]
    public void LoadFile_Matrix_KeepsItsDimensions()
    {
        Load(Variable("i=6", """
            <Matrix><Dimensions><UInt32>1</UInt32><UInt32>2</UInt32></Dimensions>
              <Elements><Int32>3</Int32><Int32>4</Int32></Elements></Matrix>
            """));
        var matrix = _space.Values.Read(_space.Nodes.Find(new NodeId("V", 2))).Value.AsMatrix()!;
        Assert.Equal([1, 2], matrix.Dimensions);
        Assert.Equal(new[] { 3, 4 }, matrix.Elements);
    }

    public static TheoryData<string, string, int> Faults => new()
    {
        { "<UAObject NodeId=\"ns=1;x=1\" BrowseName=\"A\" />", "'ns=1;x=1' is no valid NodeId", 5 },
        { "<UAObject NodeId=\"ns=7;i=1\" BrowseName=\"A\" />", "'ns=7;i=1' is no valid NodeId", 5 },
        { "<UAObject NodeId=\"i=85\" BrowseName=\"A\" />", "node i=85: is there already", 5 },
        { "<UAObject NodeId=\"ns=1;i=1\" BrowseName=\"9:A\" />", "'9:A' is no valid BrowseName", 5 },
        { "<UAVariable NodeId=\"ns=1;i=1\" BrowseName=\"A\" DataType=\"Nope\" />", "'Nope' is no valid DataType", 5 },
        { "<UAVariable NodeId=\"ns=1;i=1\" BrowseName=\"A\" ValueRank=\"x\" />", "'x' is no valid ValueRank", 5 },
        { Variable("i=6", "<Int32>\nabc</Int32>"), "'abc' is no valid Int32", 5 },
        { Variable("i=6", "<Int33>1</Int33>"), "'Int33' is no built-in type", 5 },
        { "<UAObject NodeId=\"ns=1;i=1\" BrowseName=\"A\">", "does not match", 6 },
        {
            "<UAObject NodeId=\"ns=1;i=1\" BrowseName=\"A\"><References>\n<Reference ReferenceType=\"i=40\">ns=1;i=9" +
            "</Reference></References></UAObject>",
            "the type ns=2;i=9 is unknown", 6
        },
        {
            "<UAObject NodeId=\"ns=1;i=1\" BrowseName=\"A\"><References>\n<Reference ReferenceType=\"i=9999\">i=85" +
            "</Reference></References></UAObject>",
            "the ReferenceType i=9999 is unknown", 6
        },
    };

    [Theory]
    [MemberData(nameof(Faults))]
    public void LoadFile_Fault_NamesFileLineAndNodeAndAddsNothing(string nodes, string problem, int line)
    {
        var before = _space.Nodes.Count;
        var path = Write("bad.xml", Uri, nodes);
        var error = Assert.Throws<NodeSetException>(() => Importer().LoadFile(path));
        Assert.Equal(path, error.File);
        Assert.Contains(problem, error.Message, StringComparison.Ordinal);
        Assert.StartsWith($"{path}({error.Line}): ", error.Message, StringComparison.Ordinal);
        Assert.InRange(error.Line, line, line + 1);
        Assert.Equal(before, _space.Nodes.Count);
    }

    [Fact]
    public void LoadFile_ReferenceToNowhere_IsLeftOutAndTold()
    {
        var result = Load("""
            <UAObject NodeId="ns=1;i=1" BrowseName="A">
              <References>
                <Reference ReferenceType="HasTypeDefinition">i=58</Reference>
                <Reference ReferenceType="HasComponent">ns=1;i=77</Reference>
              </References>
            </UAObject>
            """);
        Assert.Contains("ns=2;i=77", Assert.Single(result.Warnings), StringComparison.Ordinal);
        Assert.Empty(_space.Inconsistencies());
    }

    [Fact]
    public void LoadFile_DocumentTypeDefinition_IsRefused()
    {
        var path = Path.Combine(_folder, "dtd.xml");
        File.WriteAllText(path, "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>\n<UANodeSet>&b;</UANodeSet>");
        var error = Assert.Throws<NodeSetException>(() => Importer().LoadFile(path));
        Assert.Contains("DTD", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void LoadFile_DeeperOrLargerThanTheLimits_IsRefused()
    {
        var nested = string.Concat(Enumerable.Repeat("<a>", 500)) + string.Concat(Enumerable.Repeat("</a>", 500));
        var deep = Write("deep.xml", Uri, Variable("i=24", nested));
        Assert.Contains(
            "levels deep", Assert.Throws<NodeSetException>(() => Importer().LoadFile(deep)).Message,
            StringComparison.Ordinal);
        var small = new NodeSetImporter(
            _space.Nodes, _space.Values, _space.Source, new NodeSetLimits { MaxFileSizeBytes = 100 });
        Assert.Throws<NodeSetException>(() => small.LoadFile(deep));
        Assert.Throws<NodeSetException>(() => small.LoadFolder(_folder));
    }

    [Fact]
    public void LoadFolder_ModelThatNobodyBrings_IsNamed()
    {
        Write("a.xml", "urn:a", "", required: "urn:missing");
        var error = Assert.Throws<NodeSetException>(() => Importer().LoadFolder(_folder));
        Assert.Contains("urn:missing", error.Message, StringComparison.Ordinal);
        Assert.EndsWith("a.xml", error.File, StringComparison.Ordinal);
    }

    [Fact]
    public void LoadFolder_ModelsThatNeedEachOther_AreRefused()
    {
        Write("a.xml", "urn:a", "", required: "urn:b");
        Write("b.xml", "urn:b", "", required: "urn:a");
        var error = Assert.Throws<NodeSetException>(() => Importer().LoadFolder(_folder));
        Assert.Contains("cannot be put in order", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void LoadFolder_NeededModelLaterInTheAlphabet_IsLoadedFirst()
    {
        Write("a.xml", "urn:a", "", required: "urn:b");
        Write("b.xml", "urn:b", "");
        var results = Importer().LoadFolder(_folder);
        Assert.Equal(["b.xml", "a.xml"], results.Select(r => Path.GetFileName(r.File)));
    }

    private static string Aliases => string.Concat(
        new[]
        {
            ("Double", 11), ("Int32", 6), ("String", 12), ("HasTypeDefinition", 40), ("Organizes", 35),
            ("HasSubtype", 45), ("HasEncoding", 38), ("HasComponent", 47),
        }.Select(alias => $"<Alias Alias=\"{alias.Item1}\">i={alias.Item2}</Alias>"));

    private static string Variable(string dataType, string value) =>
        $"""
        <UAVariable NodeId="ns=1;s=V" BrowseName="1:V" DataType="{dataType}" ValueRank="-2">
        <References><Reference ReferenceType="HasTypeDefinition">i=63</Reference></References>
        <Value>{value.Replace("<a>", "<a >", StringComparison.Ordinal)}</Value></UAVariable>
        """.ReplaceLineEndings(" ");

    private NodeSetImporter Importer() => new(_space.Nodes, _space.Values, _space.Source, new NodeSetLimits());

    private NodeSetResult Load(string nodes) => Importer().LoadFile(Write("test.xml", Uri, nodes));

    private string Write(string name, string uri, string nodes, string? required = null)
    {
        var requirement = required is null ? "" : $"<RequiredModel ModelUri=\"{required}\" />";
        var path = Path.Combine(_folder, name);
        File.WriteAllText(path, $"""
            <UANodeSet xmlns="http://opcfoundation.org/UA/2011/03/UANodeSet.xsd">
            <NamespaceUris><Uri>{uri}</Uri></NamespaceUris>
            <Models><Model ModelUri="{uri}">{requirement}</Model></Models>
            <Aliases>{Aliases}</Aliases>
            {nodes}
            </UANodeSet>
            """);
        return path;
    }

    private NodeId ParentOf(AddressSpace.Nodes.NodeHandle node) => _space.Nodes.GetNodeId(_space.References(node)
        .First(r => !r.IsForward && _space.Nodes.IsSubtypeOf(
            r.ReferenceType, _space[StandardIds.ReferenceTypes.HierarchicalReferences])).Target);
}
