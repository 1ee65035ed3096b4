using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Tests.Clock;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary>What the gateway says of its publishers.</summary>
public sealed class PubSubTests : IDisposable
{
    private const string Group = "--PubSub:Connections:0:WriterGroups:0:";

    private readonly string _store = Directory.CreateTempSubdirectory("gateway-").FullName;

    public void Dispose() => Directory.Delete(_store, recursive: true);

    [Fact]
    public async Task PubSub_BrokerIsAway_SaysWhyAndWhatWaits()
    {
        await using var gateway = await StartAsync();

        JsonElement connection = default;
        await Condition.UntilAsync(async () =>
        {
            connection = (await ReadAsync(gateway)).GetProperty("connections")[0];
            return connection.GetProperty("store").GetProperty("messages").GetInt64() > 0 &&
                connection.GetProperty("detail").GetString() != "not connected yet";
        });

        Assert.Equal("broker", connection.GetProperty("name").GetString());
        Assert.Equal("mqtt://127.0.0.1:1", connection.GetProperty("address").GetString());
        Assert.Equal("Error", connection.GetProperty("state").GetString());
        Assert.NotEmpty(connection.GetProperty("detail").GetString()!);
        Assert.Equal(0, connection.GetProperty("gaps").GetArrayLength());
        var group = Assert.Single(connection.GetProperty("groups").EnumerateArray());
        Assert.Equal("json", group.GetProperty("encoding").GetString());
        var writer = Assert.Single(group.GetProperty("writers").EnumerateArray());
        Assert.Equal("opcua/json/data/plant/g/w", writer.GetProperty("topic").GetString());
    }

    [Fact]
    public async Task PubSub_NodesComeAndGo_VersionsFollow()
    {
        await using var gateway = await StartAsync();
        var before = await DataSetAsync(gateway, fields: 1);
        Assert.Equal(0, before.Missing);

        var nodes = gateway.Host.Get<NodeTable>();
        nodes.Apply(new NodeBatch().AddVariable(
            new NodeId("New", 2), new QualifiedName("New", 2), new VariableFacts(new NodeId(11)), null,
            new NodeId("Things", 2)));
        var grown = await DataSetAsync(gateway, fields: 2);
        Assert.Equal(before.Major, grown.Major);
        Assert.True(grown.Minor > before.Minor);

        nodes.Apply(new NodeBatch().Remove(nodes.Find(new NodeId("New", 2))));
        var shrunk = await DataSetAsync(gateway, fields: 1);
        Assert.True(shrunk.Major > grown.Major);
    }

    /// <summary>Once it has so many fields: the group looks at each interval.</summary>
    private static async Task<(int Fields, int Missing, uint Major, uint Minor)> DataSetAsync(
        RestGateway gateway, int fields)
    {
        (int Fields, int Missing, uint Major, uint Minor) dataSet = default;
        await Condition.UntilAsync(async () => (dataSet = DataSetOf(await ReadAsync(gateway))).Fields == fields);
        return dataSet;
    }

    private static (int Fields, int Missing, uint Major, uint Minor) DataSetOf(JsonElement report)
    {
        var dataSet = Assert.Single(report.GetProperty("dataSets").EnumerateArray());
        return (
            dataSet.GetProperty("fields").GetInt32(), dataSet.GetProperty("missing").GetInt32(),
            dataSet.GetProperty("majorVersion").GetUInt32(), dataSet.GetProperty("minorVersion").GetUInt32());
    }

    private static async Task<JsonElement> ReadAsync(RestGateway gateway)
    {
        var (status, answer) = await RestGateway.GetAsync(gateway.Observer, "/api/v1/pubsub");
        Assert.Equal(200, status);
        Assert.True(answer.GetProperty("configured").GetBoolean());
        return answer;
    }

    private async Task<RestGateway> StartAsync()
    {
        var gateway = await RestGateway.StartAsync(
            "--PubSub:PublisherId=plant", "--PubSub:DataSets:0:Name=tags", "--PubSub:DataSets:0:Nodes:0=ns=2;i=1000",
            "--PubSub:DataSets:0:Nodes:1=ns=2;s=Things/**", "--PubSub:Connections:0:Name=broker",
            "--PubSub:Connections:0:Address=mqtt://127.0.0.1:1", $"--PubSub:Connections:0:StorePath={_store}",
            $"--PubSub:VersionsPath={Path.Combine(_store, "versions.json")}",
            Group + "Name=g", Group + "WriterGroupId=1", Group + "PublishingIntervalMs=50",
            Group + "DataSetWriters:0:Name=w", Group + "DataSetWriters:0:DataSetWriterId=1",
            Group + "DataSetWriters:0:DataSet=tags");
        gateway.Host.Get<NodeTable>().Apply(new NodeBatch().AddObject(
            new NodeId("Things", 2), new QualifiedName("Things", 2),
            new NodeId(StandardIds.Objects.ObjectsFolder)));
        return gateway;
    }
}
