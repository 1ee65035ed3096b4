using System.Text.Json;
using System.Xml.Linq;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>Companion models loaded from a mounted folder and browsed by node-opcua's client.</summary>
public sealed class NodeSetTests
{
    // Machinery needs DI and IA; the folder's order by name is not the order of need.
    private static readonly string[] Files =
        ["Opc.Ua.Di.NodeSet2.xml", "Opc.Ua.IA.NodeSet2.xml", "Opc.Ua.Machinery.NodeSet2.xml"];

    [PeerFact]
    public async Task Browse_DiAndMachinery_FindsEveryNodeOfTheirFiles()
    {
        using TemporaryFolder folder = new();
        string models = folder.Sub("nodesets");
        foreach (string file in Files)
            File.Copy(Path.Combine(PeerFolder.NodeSets, file), Path.Combine(models, file));
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using GatewayProcess gateway =
            await GatewayProcess.StartAsync(folder, "--demo", "--Simulator:Enabled=false", $"--NodeSets:Path={models}");

        JsonElement result = await PeerProcess.RunAsync("browse.js",
            PeerArguments.Create(folder, client, gateway.EndpointUrl, new { }));

        Assert.Equal(0, result.GetProperty("danglingCount").GetInt32());
        Assert.Equal(0, result.GetProperty("oneSidedCount").GetInt32());
        JsonElement counts = result.GetProperty("counts");
        Assert.All(Files, file =>
        {
            (string uri, int nodes) = Describe(Path.Combine(models, file));
            Assert.True(counts.TryGetProperty(uri, out JsonElement found), $"{uri} is not among {counts}");
            Assert.Equal(nodes, found.GetInt32());
        });
    }

    /// <summary>
    /// The file's own namespace and how many nodes it defines that a client can browse to: DI also defines objects that
    /// nothing refers to, as names for others' use; they have a type and no other reference.
    /// </summary>
    private static (string Uri, int Nodes) Describe(string file)
    {
        XElement root = XDocument.Load(file).Root!;
        XNamespace xml = root.Name.Namespace;
        string uri = root.Element(xml + "Models")!.Element(xml + "Model")!.Attribute("ModelUri")!.Value;
        List<string> uris = ["http://opcfoundation.org/UA/",
            .. root.Element(xml + "NamespaceUris")!.Elements(xml + "Uri").Select(element => element.Value)];
        string own = $"ns={uris.IndexOf(uri)};";
        int nodes = root.Elements().Count(element =>
            element.Attribute("NodeId")?.Value.StartsWith(own, StringComparison.Ordinal) == true
            && element.Descendants(xml + "Reference").Any(reference =>
                reference.Attribute("ReferenceType")!.Value != "HasTypeDefinition"));
        return (uri, nodes);
    }
}
