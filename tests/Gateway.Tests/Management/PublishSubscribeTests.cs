using System.Text.Json;
using Gateway.PubSub;
using Gateway.Tests.Clock;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary>The standard's PublishSubscribe object shows what is configured, and how it does.</summary>
public sealed class PublishSubscribeTests : IDisposable
{
    private const string Key = "nsu=urn:gateway:pubsub;s=Connections/broker";
    private const string Group = "--PubSub:Connections:0:WriterGroups:0:";
    private const string Reader = "--PubSub:Connections:0:ReaderGroups:0:";

    private readonly string _store = Directory.CreateTempSubdirectory("gateway-").FullName;

    public void Dispose() => Directory.Delete(_store, recursive: true);

    [Fact]
    public async Task Children_OfTheObject_AreConnectionsDataSetsAndStatus()
    {
        await using var gateway = await StartAsync();

        Assert.Equal(
            ["PublishedDataSets", "Status", "broker"], (await ChildrenAsync(gateway, "i=14443")).Order());
        Assert.Equal(["tags"], await ChildrenAsync(gateway, "i=17371"));
        Assert.Contains("w", await ChildrenAsync(gateway, $"{Key}/WriterGroups/g"));
    }

    [Theory]
    [InlineData("/PublisherId", "\"plant\"")]
    [InlineData("/Status/State", "3")]
    [InlineData("/WriterGroups/g/WriterGroupId", "7")]
    [InlineData("/WriterGroups/g/PublishingInterval", "50")]
    [InlineData("/WriterGroups/g/Status/State", "2")]
    [InlineData("/WriterGroups/g/w/DataSetWriterId", "1")]
    [InlineData("/WriterGroups/g/w/Status/State", "2")]
    [InlineData("/ReaderGroups/in/r/PublisherId", "\"other\"")]
    [InlineData("/ReaderGroups/in/r/MessageReceiveTimeout", "30000")]
    [InlineData("/ReaderGroups/in/r/Diagnostics/Counters/ReceivedDataSetMessages", "0")]
    public async Task Value_OfAPart_IsItsConfigurationOrState(string part, string expected)
    {
        await using var gateway = await StartAsync();

        Assert.Equal(expected, await ReadAsync(gateway, Key + part));
    }

    /// <summary>Its group has parts of the same names.</summary>
    [Theory]
    [InlineData("Status")]
    [InlineData("WriterGroupId")]
    public async Task Start_WriterAndReaderAreCalledAsAPartOfTheirGroup_BothAreThere(string name)
    {
        await using var gateway = await StartAsync(name);

        Assert.Equal("2", await ReadAsync(gateway, $"{Key}/WriterGroups/g/Status/State"));
        Assert.Equal("1", await ReadAsync(gateway, $"{Key}/WriterGroups/g/DataSetWriters/{name}/DataSetWriterId"));
        Assert.Equal(
            "\"other\"", await ReadAsync(gateway, $"{Key}/ReaderGroups/in/DataSetReaders/{name}/PublisherId"));
    }

    [Fact]
    public async Task Counter_OfAGroup_Counts()
    {
        await using var gateway = await StartAsync();

        var sent = "0";
        await Condition.UntilAsync(async () =>
        {
            sent = await ReadAsync(gateway, $"{Key}/WriterGroups/g/Diagnostics/Counters/SentNetworkMessages");
            return sent != "0";
        });

        Assert.Matches("^[0-9]+$", sent);
    }

    [Fact]
    public async Task Apply_GroupGoes_ItsNodesGo()
    {
        await using var gateway = await StartAsync();
        var service = gateway.Host.Get<PubSubService>();

        await service.ApplyAsync(
            service.Options with { Connections = [service.Options.Connections[0] with { WriterGroups = [] }] },
            default);

        Assert.DoesNotContain("g", await ChildrenAsync(gateway, Key));
        Assert.Contains("in", await ChildrenAsync(gateway, Key));
    }

    private static async Task<List<string>> ChildrenAsync(RestGateway gateway, string node)
    {
        var (status, answer) = await RestGateway.GetAsync(
            gateway.Observer, $"/api/v1/nodes/{Uri.EscapeDataString(node)}/children");
        Assert.Equal(200, status);
        return [.. answer.GetProperty("nodes").EnumerateArray().Select(
            static one => one.GetProperty("displayName").GetString()!)];
    }

    private static async Task<string> ReadAsync(RestGateway gateway, string node)
    {
        var (_, answer) = await RestGateway.GetAsync(
            gateway.Observer, $"/api/v1/values?node={Uri.EscapeDataString(node)}");
        var value = Assert.Single(answer.GetProperty("values").EnumerateArray());
        return value.TryGetProperty("value", out var found) && found.ValueKind != JsonValueKind.Null
            ? found.GetRawText()
            : value.GetRawText();
    }

    private Task<RestGateway> StartAsync() => StartAsync("w", "r");

    private Task<RestGateway> StartAsync(string name) => StartAsync(name, name);

    private Task<RestGateway> StartAsync(string writer, string reader) => RestGateway.StartAsync(
        "--PubSub:PublisherId=plant", "--PubSub:DataSets:0:Name=tags", "--PubSub:DataSets:0:Nodes:0=ns=2;i=1000",
        "--PubSub:Connections:0:Name=broker", "--PubSub:Connections:0:Address=mqtt://127.0.0.1:1",
        $"--PubSub:Connections:0:StorePath={_store}",
        $"--PubSub:VersionsPath={Path.Combine(_store, "versions.json")}",
        Group + "Name=g", Group + "WriterGroupId=7", Group + "PublishingIntervalMs=50",
        Group + $"DataSetWriters:0:Name={writer}", Group + "DataSetWriters:0:DataSetWriterId=1",
        Group + "DataSetWriters:0:DataSet=tags", Reader + "Name=in", Reader + $"DataSetReaders:0:Name={reader}",
        Reader + "DataSetReaders:0:PublisherId=other", Reader + "DataSetReaders:0:DataSetWriterId=1");
}
