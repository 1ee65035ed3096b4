using System.Text;
using System.Threading.Channels;
using Gateway.Mqtt;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.PubSub.Options;
using Gateway.PubSub.Readers;
using Gateway.PubSub.States;
using Gateway.PubSub.Tests.DataSets;
using Gateway.PubSub.Tests.Outputs;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.Readers;

/// <summary>Other groups over the same connection to a broker.</summary>
public sealed class BrokerLinkTests : IAsyncLifetime
{
    private readonly Plant _plant = new();
    private readonly TinyBroker _broker = TinyBroker.Start();
    private readonly ReaderParts _parts;
    private readonly BrokerLink _link;

    public BrokerLinkTests()
    {
        _parts = new ReaderParts(_plant.Nodes, _plant.Values, new PubSubLimits(), _plant.Time);
        _broker.Retained.Add(("opcua/json/metadata/p/g/w", "metadata of p"));
        _broker.Retained.Add(("opcua/json/metadata/q/g/w", "metadata of q"));
        _link = Link(_broker.Port);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        await _link.DisposeAsync();
        await _broker.DisposeAsync();
    }

    /// <summary>The broker has given the metadata already, to the groups that were there.</summary>
    [Fact]
    public async Task Change_AGroupMoreOfAPublisherThatIsRead_ItGetsTheMetaDataAndTheConnectionGoesOn()
    {
        var (first, second, other) = (Group("first", "p"), Group("second", "p"), Group("other", "q"));
        _link.Change([first.Group]);
        _link.Start();
        Assert.Equal("metadata of p", await first.Input.NextAsync());

        _link.Change([first.Group, second.Group, other.Group]);

        Assert.Equal("metadata of p", await second.Input.NextAsync());
        Assert.Equal("metadata of q", await other.Input.NextAsync());
        Assert.Equal(1, _broker.Connections);
        Assert.Equal(
            Codec.Structures.PubSubState.Operational,
            _link.Describe(new ReaderConnectionReport("c", "", default, "", 0, 0, 0)).State);
    }

    [Fact]
    public async Task Change_AGroupGoesAndComesBack_ItGetsTheMetaDataAgain()
    {
        var (first, other) = (Group("first", "p"), Group("other", "q"));
        _link.Change([first.Group, other.Group]);
        _link.Start();
        Assert.Equal("metadata of p", await first.Input.NextAsync());
        Assert.Equal("metadata of q", await other.Input.NextAsync());

        _link.Change([first.Group]);
        _link.Change([first.Group, other.Group]);

        Assert.Equal("metadata of q", await other.Input.NextAsync());
        Assert.Equal(1, _broker.Connections);
    }

    private static BrokerLink Link(int port) => new(
        new MqttClient(new MqttClientOptions
        {
            Host = "127.0.0.1",
            Port = port,
            Version = MqttVersion.V311,
            ClientId = "reader",
        })
        {
            Connect = MqttClient.OpenSocketAsync,
        }, "opcua", NullLogger.Instance);

    private (ReaderGroup Group, ListInput Input) Group(string name, string publisher)
    {
        var options = new DataSetReaderOptions { Name = name, PublisherId = publisher, DataSetWriterId = 1 };
        var input = new ListInput();
        return (
            new ReaderGroup(
                new ReaderGroupOptions { Name = name, DataSetReaders = [options] },
                [new DataSetReader("c", name, options, _parts)], input),
            input);
    }

    private sealed class ListInput : IReaderInput
    {
        private readonly Channel<string> _messages = Channel.CreateUnbounded<string>();

        public bool TakesStatus => true;

        public bool TryTake(string? publisher, ReadOnlySpan<byte> message) =>
            _messages.Writer.TryWrite(Encoding.UTF8.GetString(message));

        public Task<string> NextAsync() => _messages.Reader.ReadAsync().AsTask().WaitAsync(Patience.Limit);
    }
}
