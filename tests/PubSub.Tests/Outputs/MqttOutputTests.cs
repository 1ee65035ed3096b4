using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Mqtt;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
using Gateway.PubSub.Tests.DataSets;
using Gateway.Store;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.Outputs;

/// <summary>From the store to a broker that keeps the metadata for subscribers that come later.</summary>
public sealed class MqttOutputTests : IAsyncLifetime, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;
    private readonly TinyBroker _broker = TinyBroker.Start();

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync() => await _broker.DisposeAsync();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>The old one waited on the disk while the broker was away. Without the data of its time nobody needs it,
    /// and who comes later would read the present data by it.</summary>
    [Fact]
    public async Task Start_LiveFirstWithOldMetaDataInTheStore_TheBrokerKeepsTheNewOne()
    {
        var (before, _) = Output("live-first");
        before.Announce(Announcement("old"));
        Send(before, "behind the old");
        await before.DisposeAsync();

        var (output, store) = Output("live-first");
        await using (output)
        {
            output.Announce(Announcement("new"));
            await store.FlushAsync();
            output.Start();

            Assert.Equal(("opcua/json/metadata/p/g/w", "new", true), await _broker.NextAsync());
            Assert.Equal("behind the old", (await _broker.NextAsync()).Payload);
        }
    }

    /// <summary>The data behind the old one needs it.</summary>
    [Fact]
    public async Task Start_OldestFirst_BothLeaveInTheirOrder()
    {
        var (output, _) = Output("oldest-first");
        await using (output)
        {
            output.Announce(Announcement("old"));
            Send(output, "value");
            output.Announce(Announcement("new"));
            output.Start();

            foreach (var payload in new[] { "old", "value", "new" })
                Assert.Equal(payload, (await _broker.NextAsync()).Payload);
        }
    }

    private static void Send(MqttOutput output, string payload) =>
        Assert.True(output.TrySend(1, "opcua/json/data/p/g/w"u8, Encoding.UTF8.GetBytes(payload)));

    private static Announcement Announcement(string text) => new(
        new GroupDescription { PublisherId = "p", Name = "g", WriterGroupId = 1 },
        new WriterDescription
        {
            Name = "w",
            DataSetWriterId = 1,
            MetaData = new DataSetMetaDataType { Name = text },
        }, "opcua/json/data/p/g/w");

    private (MqttOutput Output, StoreLog Store) Output(string order)
    {
        var store = StoreLog.Open(
            new StoreOptions
            {
                Directory = _folder,
                Order = order == "live-first" ? ReadOrder.LiveFirst : ReadOrder.OldestFirst,
            }, TimeProvider.System, NullLogger.Instance);
        var (plant, topics) = (new Plant(), new TopicTree("opcua", "p"));
        var client = new MqttClient(new MqttClientOptions
        {
            Host = "127.0.0.1",
            Port = _broker.Port,
            Version = MqttVersion.V311,
            ClientId = "p",
        })
        {
            Connect = MqttClient.OpenSocketAsync,
        };
        var mappings = new MqttMappings(
            plant.Nodes, new TableStructures(plant.Nodes), new PubSubLimits(), "p", topics,
            new GroupKeys("none", TimeProvider.System, NullLoggerFactory.Instance));
        return (
            new MqttOutput(
                client, store, MqttQos.AtLeastOnce, topics, mappings, new Texts(topics), TimeProvider.System,
                NullLogger.Instance),
            store);
    }

    /// <summary>The metadata of a writer is the name of its data set.</summary>
    private sealed class Texts(TopicTree topics) : IBrokerMessages
    {
        public void Change(ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets)
        {
        }

        public IEnumerable<RetainedMessage> AtStart(DateTime now) => [];

        public RetainedMessage? OfMetaData(Announcement announcement, DateTime now) => new(
            TopicTree.MetaDataType, topics.MetaData(true, announcement.Group.Name, announcement.Writer.Name),
            Encoding.UTF8.GetBytes(announcement.Writer.MetaData.Name!));

        public RetainedMessage OfGap(GapReport gap, DateTime now) =>
            new(TopicTree.GapsType, topics.Gaps, ReadOnlyMemory<byte>.Empty, IsRetained: false);

        public GapReport Explain(StoreGap gap) => new(gap, [], 0);

        public IEnumerable<RetainedMessage> AtEnd() => [];

        public RetainedMessage Will() => new(TopicTree.StatusType, topics.Status(true), ReadOnlyMemory<byte>.Empty);

        public void Dispose()
        {
        }
    }
}
