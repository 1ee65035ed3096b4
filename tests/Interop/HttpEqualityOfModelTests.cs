using System.Text.Json;
using System.Xml.Linq;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>As <see cref="HttpEqualityTests"/>, for what the plant does not have: a matrix of each built-in type,
/// structures, and Variants of any type.</summary>
public sealed class HttpEqualityOfModelTests
{
    private const string Uri = "urn:interop:equality";
    private const int Types = 21;
    private const int Range = 884;
    private const int EUInformation = 887;
    private const int BaseDataType = 24;

    /// <summary>Two structures of the standard, three that only a NodeSet defines, and one that nobody knows, each
    /// alone, in an array and in a matrix; three values of any type and an array of them; a DataValue and a
    /// DiagnosticInfo, each alone, in an array and in a matrix.</summary>
    private const int Values = Types + (6 * 3) + 4 + (2 * 3);

    private static readonly XNamespace Xml = "http://opcfoundation.org/UA/2011/03/UANodeSet.xsd";

    private static readonly string[] Names =
    [
        "Boolean", "SByte", "Byte", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Float", "Double",
        "String", "DateTime", "Guid", "ByteString", "XmlElement", "NodeId", "ExpandedNodeId", "StatusCode",
        "QualifiedName", "LocalizedText",
    ];

    [PeerFact]
    public async Task Values_OverUaTcpAndHttp_AreTheSameBothWays()
    {
        using TemporaryFolder folder = new();
        string models = folder.Sub("nodesets");
        Model().Save(Path.Combine(models, "equality.xml"));
        File.Copy(Path.Combine(PeerFolder.Path, "models", "pumps.xml"), Path.Combine(models, "pumps.xml"));
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using GatewayProcess gateway =
            await GatewayProcess.StartAsync(folder, "--demo", "--Simulator:Enabled=false", $"--NodeSets:Path={models}");

        JsonElement result = await PeerProcess.RunAsync("equality.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl,
            new { httpUrl = $"http://127.0.0.1:{gateway.HttpPort}", isModel = true, namespaceUri = Uri }));

        HttpEqualityTests.AssertSame(Values, result);
    }

    private static XDocument Model() => new(new XElement(
        Xml + "UANodeSet",
        new XElement(Xml + "NamespaceUris", new XElement(Xml + "Uri", Uri)),
        new XElement(Xml + "Models", new XElement(Xml + "Model", new XAttribute("ModelUri", Uri))),
        Names.Select((name, i) => Variable(name + "[,]", i + 1, 2)),
        new[] { ("Range", Range), ("EUInformation", EUInformation) }.SelectMany(one => new[]
        {
            Variable(one.Item1, one.Item2, -1), Variable(one.Item1 + "[]", one.Item2, 1),
            Variable(one.Item1 + "[,]", one.Item2, 2),
        }),
        Variable("Any", BaseDataType, -2), Variable("Any[]", BaseDataType, 1)));

    private static XElement Variable(string name, int dataType, int rank) => new(
        Xml + "UAVariable",
        new XAttribute("NodeId", $"ns=1;s={name}"), new XAttribute("BrowseName", $"1:{name}"),
        new XAttribute("DataType", $"i={dataType}"), new XAttribute("ValueRank", rank),
        new XAttribute("AccessLevel", 3),
        rank > 0 ? new XAttribute("ArrayDimensions", string.Join(',', Enumerable.Repeat(0, rank))) : null,
        new XElement(Xml + "DisplayName", name),
        new XElement(
            Xml + "References",
            new XElement(Xml + "Reference", new XAttribute("ReferenceType", "i=40"), "i=63"),
            new XElement(
                Xml + "Reference", new XAttribute("ReferenceType", "i=35"), new XAttribute("IsForward", false),
                "i=85")));
}
