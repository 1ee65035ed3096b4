using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Tests.DataSets;
using Gateway.PubSub.Tests.Json;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.Outputs;

public sealed class MqttMappingsTests
{
    /// <summary>An upstream brings its namespaces when it connects, long after the groups were made.</summary>
    [Fact]
    public void WriterOf_NamespaceThatComesLater_IsWrittenByItsUri()
    {
        var plant = new Plant();
        var mappings = Make(plant, new PubSubLimits());
        var message = mappings.WriterOf(new WriterGroupOptions(), JsonSamples.Group(JsonSamples.Bare));
        var writer = JsonSamples.Writer(
            JsonSamples.Verbose, DataSetFieldContentMask.None, JsonSamples.Field("Which", BuiltInType.NodeId));
        plant.Nodes.Namespaces.GetOrAdd("urn:later");
        var index = (ushort)(plant.Nodes.Namespaces.Count - 1);

        message.Begin(JsonSamples.MessageId, JsonSamples.Time);
        Assert.True(message.TryAdd(JsonSamples.Frame(
            writer, FrameKind.KeyFrame, [JsonSamples.Value(0, new Variant(new NodeId("x", index)))])));

        Assert.Contains("nsu=urn:later;s=x", Encoding.UTF8.GetString(message.End().Span), StringComparison.Ordinal);
    }

    private static MqttMappings Make(Plant plant, PubSubLimits limits) => new(
        plant.Nodes, new TableStructures(plant.Nodes), limits, "p", new TopicTree("opcua", "p"),
        new GroupKeys("none", TimeProvider.System, NullLoggerFactory.Instance));

    [Theory]
    [InlineData("json")]
    [InlineData("uadp")]
    [InlineData("plain")]
    public void WriterOf_FrameAboveTheLimit_IsNotTaken(string encoding)
    {
        var plant = new Plant();
        var limits = new PubSubLimits { MaxPubSubMessageBytes = 4096 };
        var message = Make(plant, limits).WriterOf(
            new WriterGroupOptions { Encoding = encoding }, JsonSamples.Group(JsonSamples.Bare));
        var writer = JsonSamples.Writer(
            JsonSamples.Verbose, DataSetFieldContentMask.None, JsonSamples.Field("Text", BuiltInType.String));

        message.Begin(JsonSamples.MessageId, JsonSamples.Time);

        Assert.False(message.TryAdd(JsonSamples.Frame(
            writer, FrameKind.KeyFrame, [JsonSamples.Value(0, new Variant(new string('x', 70_000)))])));
        Assert.True(message.TryAdd(JsonSamples.Frame(
            writer, FrameKind.KeyFrame, [JsonSamples.Value(0, new Variant("short"))])));
    }
}
