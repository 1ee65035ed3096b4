using System.Text.Json;
using Gateway.Tests.Clock;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary>Diagnostics and settings below PublishSubscribe have the parts that the standard's types demand.</summary>
public sealed class PubSubDiagnosticsTests
{
    private const string Connection = "nsu=urn:gateway:pubsub;s=Connections/udp";
    private const string Group = Connection + "/WriterGroups/g";
    private const string Reader = Connection + "/ReaderGroups/in/r";

    private static readonly string[] Mandatory =
        ["Counters", "DiagnosticsLevel", "LiveValues", "Reset", "SubError", "TotalError", "TotalInformation"];

    private static readonly string[] States =
    [
        "StateError", "StateOperationalByMethod", "StateOperationalByParent", "StateOperationalFromError",
        "StatePausedByParent", "StateDisabledByMethod",
    ];

    [Theory]
    [InlineData(Group + "/Diagnostics", "PubSubDiagnosticsWriterGroupType", "i=19834")]
    [InlineData(Group + "/w/Diagnostics", "PubSubDiagnosticsDataSetWriterType", "i=19968")]
    [InlineData(Connection + "/ReaderGroups/in/Diagnostics", "PubSubDiagnosticsReaderGroupType", "i=19903")]
    [InlineData(Reader + "/Diagnostics", "PubSubDiagnosticsDataSetReaderType", "i=20027")]
    public async Task Diagnostics_HasItsTypeAndAllMandatoryParts(string node, string type, string typeId)
    {
        await using var gateway = await StartAsync();

        Assert.Equal(Mandatory, (await ChildrenAsync(gateway, node)).Order());
        var (_, answer) = await RestGateway.GetAsync(
            gateway.Observer, $"/api/v1/nodes/{Uri.EscapeDataString(node)}");
        Assert.Equal(typeId, answer.GetProperty("typeDefinition").GetString());
        // As the standard's own type has them.
        var ofType = await ChildrenAsync(gateway, $"{typeId}");
        Assert.True(ofType.Count > 0, type);
        var counters = await ChildrenAsync(gateway, $"{node}/Counters");
        Assert.Empty(States.Except(counters));
    }

    [Fact]
    public async Task Reset_ByAnOperator_CountersBeginAtZeroAgain()
    {
        await using var gateway = await StartAsync();
        const string Sent = Group + "/Diagnostics/Counters/SentNetworkMessages";
        await Condition.UntilAsync(async () => await NumberAsync(gateway, Sent) >= 3);
        Assert.Equal("1", await ReadAsync(gateway, Group + "/Diagnostics/LiveValues/ConfiguredDataSetWriters"));
        var body = $$"""{"object":"{{Group}}/Diagnostics","method":"{{Group}}/Diagnostics/Reset","inputs":[]}""";

        var before = await NumberAsync(gateway, Sent);
        var (code, refused) = await RestGateway.SendAsync(
            gateway.Observer, HttpMethod.Post, "/api/v1/call", body);
        Assert.True(code != 200 || refused.GetProperty("status").GetString() == "BadUserAccessDenied", $"{code}");
        Assert.True(await NumberAsync(gateway, Sent) >= before);
        var (status, answer) = await RestGateway.SendAsync(
            gateway.Operator, HttpMethod.Post, "/api/v1/call", body);

        Assert.Equal((200, "Good"), (status, answer.GetProperty("status").GetString()));
        Assert.Equal(0, await NumberAsync(gateway, Group + "/Diagnostics/Counters/StateOperationalByParent"));
        Assert.Equal(1, await NumberAsync(gateway, Group + "/w/Diagnostics/Counters/StateOperationalByParent"));
    }

    [Theory]
    [InlineData(Connection + "/Address/Url", "\"opc.udp://127.0.0.1:1\"")]
    [InlineData(
        Connection + "/TransportProfileUri",
        "\"http://opcfoundation.org/UA-Profile/Transport/pubsub-udp-uadp\"")]
    [InlineData(Connection + "/TransportSettings/DiscoveryAddress/Url", "\"\"")]
    [InlineData(Group + "/SecurityMode", "1")]
    [InlineData(Group + "/HeaderLayoutUri", "\"http://opcfoundation.org/UA/PubSub-Layouts/UADP-Periodic-Fixed\"")]
    [InlineData(Group + "/MessageSettings/NetworkMessageContentMask", "63")]
    [InlineData(Group + "/w/MessageSettings/DataSetMessageContentMask", "36")]
    [InlineData(Group + "/w/DataSetFieldContentMask", "32")]
    [InlineData(Group + "/w/KeyFrameCount", "1")]
    public async Task Setting_OfAPart_IsAsConfigured(string node, string value)
    {
        await using var gateway = await StartAsync();

        Assert.Equal(value, await ReadAsync(gateway, node));
    }

    private static async Task<List<string>> ChildrenAsync(RestGateway gateway, string node)
    {
        var (status, answer) = await RestGateway.GetAsync(
            gateway.Observer, $"/api/v1/nodes/{Uri.EscapeDataString(node)}/children");
        Assert.Equal(200, status);
        return [.. answer.GetProperty("nodes").EnumerateArray().Select(
            static one => one.GetProperty("displayName").GetString()!)];
    }

    private static async Task<long> NumberAsync(RestGateway gateway, string node) =>
        long.Parse(await ReadAsync(gateway, node), System.Globalization.CultureInfo.InvariantCulture);

    private static async Task<string> ReadAsync(RestGateway gateway, string node)
    {
        var (_, answer) = await RestGateway.GetAsync(
            gateway.Observer, $"/api/v1/values?node={Uri.EscapeDataString(node)}");
        var value = Assert.Single(answer.GetProperty("values").EnumerateArray());
        return value.TryGetProperty("value", out var found) && found.ValueKind != JsonValueKind.Null
            ? found.GetRawText()
            : value.GetRawText();
    }

    private static Task<RestGateway> StartAsync()
    {
        const string Prefix = "--PubSub:Connections:0:";
        const string Writers = Prefix + "WriterGroups:0:";
        const string Readers = Prefix + "ReaderGroups:0:";
        return RestGateway.StartAsync(
            "--PubSub:PublisherId=7", "--PubSub:DataSets:0:Name=tags", "--PubSub:DataSets:0:Nodes:0=ns=2;i=1000",
            Prefix + "Name=udp", Prefix + "Address=opc.udp://127.0.0.1:1", Prefix + "PublisherIdType=UInt16",
            Writers + "Name=g", Writers + "WriterGroupId=7", Writers + "Encoding=uadp",
            Writers + "HeaderLayout=periodic-fixed", Writers + "PublishingIntervalMs=50",
            Writers + "DataSetWriters:0:Name=w", Writers + "DataSetWriters:0:DataSetWriterId=1",
            Writers + "DataSetWriters:0:DataSet=tags", Readers + "Name=in", Readers + "Encoding=uadp",
            Readers + "DataSetReaders:0:Name=r", Readers + "DataSetReaders:0:PublisherId=other",
            Readers + "DataSetReaders:0:DataSetWriterId=1");
    }
}
