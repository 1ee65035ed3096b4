using System.Text.Json.Nodes;
using Gateway.Host.Configuration;
using Gateway.Host.Importing;

namespace Gateway.Tests.Importing;

/// <summary>A file of OPC Publisher becomes a configuration that the gateway would start with.</summary>
public sealed class ImportVerbTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("import-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Import_UsualFile_ServersWritersAndNodes()
    {
        var (code, json, notes) = Import(
            """
            [
              {
                "EndpointUrl": "opc.tcp://plc1:4840",
                "UseSecurity": true,
                "OpcAuthenticationMode": "UsernamePassword",
                "OpcAuthenticationUsername": "anna",
                "OpcAuthenticationPassword": "geheim",
                "DataSetWriterGroup": "Line/1",
                "DataSetWriterId": "17",
                "DataSetPublishingInterval": 500,
                "OpcNodes": [
                  { "Id": "nsu=urn:line;s=Speed", "OpcSamplingInterval": 250, "DisplayName": "speed" },
                  { "ExpandedNodeId": "nsu=urn:line;i=5", "OpcPublishingIntervalTimespan": "00:00:02" },
                  { "Id": "http://line#s=Old" },
                  { "Id": "nsu=urn:line;s=All/**" },
                ],
              },
            ]
            """);

        Assert.Equal(0, code);
        Assert.Equal(
            "note: plc1: the password of 'anna' is not printed: set it as Upstreams__0__Password in the environment, "
            + "or import --with-passwords\nnote: the writer 17 has several parts: 17-2 is one of them\n"
            + "note: the group Line_1 has several intervals or encodings: Line_1-2 is one of its parts\n",
            notes);
        AssertEqual(
            """[{"Name":"plc1","EndpointUrl":"opc.tcp://plc1:4840","User":"anna","PublishingIntervalMs":500}]""",
            json["Upstreams"]);
        AssertEqual(
            """
            [
              {"Name":"17","Fields":[{"Node":"nsu=urn:line;s=Speed","Name":"speed","SamplingIntervalMs":250}],
               "Nodes":["nsu=http://line;s=Old","nsu=urn:line;s=All/**"],"SamplingIntervalMs":1000},
              {"Name":"17-2","Nodes":["nsu=urn:line;i=5"],"SamplingIntervalMs":1000}
            ]
            """,
            json["PubSub"]!["DataSets"]);
        AssertEqual(
            """
            [
              {"Name":"Line_1","WriterGroupId":1,"Encoding":"json","PublishingIntervalMs":500,
               "DataSetWriters":[{"Name":"17","DataSetWriterId":17,"DataSet":"17"}]},
              {"Name":"Line_1-2","WriterGroupId":2,"Encoding":"json","PublishingIntervalMs":2000,
               "DataSetWriters":[{"Name":"17-2","DataSetWriterId":18,"DataSet":"17-2"}]}
            ]
            """,
            json["PubSub"]!["Connections"]![0]!["WriterGroups"]);
    }

    [Fact]
    public void Import_FirstFormOfTheFile_OneNodeAnEntry()
    {
        var (code, json, _) = Import(
            """
            [
              {"EndpointUrl":"opc.tcp://plc1:4841","UseSecurity":false,"NodeId":{"Identifier":"ns=2;s=a"}},
              {"EndpointUrl":"opc.tcp://plc1:4841","UseSecurity":false,"NodeId":{"Identifier":"ns=2;s=b"}}
            ]
            """,
            "--ns", "2=urn:line", "--broker", "mqtts://broker:8883");

        Assert.Equal(0, code);
        AssertEqual(
            """
            [{"Name":"plc1-4841","EndpointUrl":"opc.tcp://plc1:4841","SecurityPolicy":"None",
              "PublishingIntervalMs":1000}]
            """,
            json["Upstreams"]);
        AssertEqual("""["nsu=urn:line;s=a","nsu=urn:line;s=b"]""", json["PubSub"]!["DataSets"]![0]!["Nodes"]);
        Assert.Equal("mqtts://broker:8883", json["PubSub"]!["Connections"]![0]!["Address"]!.GetValue<string>());
    }

    [Theory]
    [InlineData("""{"Id":"ns=2;s=a"}""", "ns=2 of plc1: the index is the server's own")]
    [InlineData("""{"Id":"i=2258"}""", "'i=2258' of plc1: a node of the standard")]
    [InlineData("""{"Id":"Temperature"}""", "'Temperature' of plc1: it is no node id")]
    [InlineData("""{}""", "'' of plc1: it is no node id")]
    [InlineData("""{"Id":"nsu=urn:a;s=a","HeartbeatInterval":5}""", "HeartbeatInterval of a node")]
    [InlineData(
        """{"Id":"nsu=urn:a;s=a","DeadbandType":"Percent","DeadbandValue":2}""", "DeadbandType Percent")]
    [InlineData(
        """{"Id":"nsu=urn:a;s=x/**","DisplayName":"a"}""", "name, sampling interval and deadband of nsu=urn:a;s=x/**")]
    public void Import_ANodeThatCannotBeTaken_IsTold(string node, string note)
    {
        var (code, _, notes) = Import(
            "[{\"EndpointUrl\":\"opc.tcp://plc1\",\"UseSecurity\":true,\"OpcNodes\":[" + node + "]}]");

        Assert.Equal(1, code);
        Assert.Contains("left out: " + note.Split(':')[0], notes, StringComparison.Ordinal);
        Assert.Contains(note, notes, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\"OpcAuthenticationMode\":\"Certificate\"", "OpcAuthenticationMode 'Certificate'")]
    [InlineData(
        "\"OpcAuthenticationMode\":\"UsernamePassword\",\"EncryptedAuthUsername\":\"x\"", "the encrypted user")]
    [InlineData("\"EndpointSecurityPolicy\":\"Basic999\"", "EndpointSecurityPolicy 'Basic999'")]
    [InlineData("\"MessageEncoding\":\"Avro\"", "MessageEncoding 'Avro'")]
    [InlineData("\"DataSetKeyFrameCount\":0", "DataSetKeyFrameCount 0")]
    [InlineData("\"EventNotifier\":{}", "EventNotifier of an entry")]
    public void Import_ASettingThatCannotBeTaken_IsTold(string setting, string note)
    {
        var (code, _, notes) = Import(
            "[{\"EndpointUrl\":\"opc.tcp://plc1\",\"UseSecurity\":true," + setting
            + ",\"OpcNodes\":[{\"Id\":\"nsu=urn:a;s=a\"}]}]");

        Assert.Equal(1, code);
        Assert.Contains("left out: " + note, notes, StringComparison.Ordinal);
    }

    [Fact]
    public void Import_TwoServersWithOneNamespace_TheSecondHasItUnderItsName()
    {
        var (code, json, notes) = Import(
            """
            [
              {"EndpointUrl":"opc.tcp://a","OpcNodes":[{"Id":"nsu=urn:line;s=x"}]},
              {"EndpointUrl":"opc.tcp://b","OpcNodes":[{"Id":"nsu=urn:line;s=x"},{"Id":"nsu=urn:line;s=x"}]}
            ]
            """);

        Assert.Equal(0, code);
        Assert.Equal(
            "nsu=urn:gateway:b:urn:line;s=x", json["PubSub"]!["DataSets"]![1]!["Nodes"]![0]!.GetValue<string>());
        Assert.Contains("b and a both have urn:line", notes, StringComparison.Ordinal);
        Assert.Contains("a node that is there twice is one field", notes, StringComparison.Ordinal);
    }

    [Fact]
    public void Import_WithPasswords_PrintsThem()
    {
        var (_, json, _) = Import(
            """
            [{"EndpointUrl":"opc.tcp://a","OpcAuthenticationMode":"usernamePassword","OpcAuthenticationUsername":"u",
              "OpcAuthenticationPassword":"p","OpcNodes":[]}]
            """,
            "--with-passwords");

        AssertEqual(
            """[{"Name":"a","EndpointUrl":"opc.tcp://a","User":"u","Password":"p"}]""", json["Upstreams"]);
        Assert.Null(json["PubSub"]);
    }

    [Theory]
    [InlineData("{}", "it is no list of entries")]
    [InlineData("[", "Expected depth to be zero")]
    [InlineData(null, "Could not find file")]
    public void Import_NoSuchFile_SaysWhyAndPrintsNothing(string? text, string expected)
    {
        var file = Path.Combine(_folder, "pn.json");
        if (text is not null)
            File.WriteAllText(file, text);
        using var output = new StringWriter();
        using var errors = new StringWriter();

        Assert.Equal(2, ImportVerb.Run([file], output, errors));
        Assert.Equal("", output.ToString());
        Assert.Contains(expected, errors.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData]
    [InlineData("a.json", "b.json")]
    [InlineData("a.json", "--ns", "2")]
    [InlineData("a.json", "--unknown")]
    public void Import_Misused_SaysHow(params string[] arguments)
    {
        using var errors = new StringWriter();

        Assert.Equal(2, ImportVerb.Run(arguments, TextWriter.Null, errors));
        Assert.Contains("import FILE", errors.ToString(), StringComparison.Ordinal);
    }

    /// <summary>The output passes <c>config check</c>, each time.</summary>
    private (int Code, JsonNode Json, string Notes) Import(string file, params string[] arguments)
    {
        var input = Path.Combine(_folder, "pn.json");
        File.WriteAllText(input, file);
        using var output = new StringWriter();
        using var errors = new StringWriter();
        var code = ImportVerb.Run([input, .. arguments], output, errors);
        var made = Path.Combine(_folder, "appsettings.json");
        File.WriteAllText(made, output.ToString());
        using var check = new StringWriter();
        var right = ConfigurationVerbs.Run(["check", made], check, check);
        Assert.True(right == 0, check.ToString());
        return (code, JsonNode.Parse(output.ToString())!, errors.ToString());
    }

    private static void AssertEqual(string expected, JsonNode? actual) =>
        Assert.Equal(JsonNode.Parse(expected)!.ToJsonString(), actual?.ToJsonString());
}
