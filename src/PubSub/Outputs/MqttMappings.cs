using Gateway.AddressSpace.Nodes;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Plain;
using Gateway.PubSub.Uadp;

namespace Gateway.PubSub.Outputs;

/// <summary>The mappings that go over a broker.</summary>
internal sealed class MqttMappings(
    NodeTable nodes, TableStructures structures, PubSubLimits limits, string publisherId, TopicTree topics,
    GroupKeys keys, UadpPublisherId? wireId = null)
{
    public INetworkMessageWriter WriterOf(WriterGroupOptions group, GroupDescription description)
    {
        if (group.IsPlain)
        {
            return new PlainMessageWriter(
                writer => topics.Plain(group.Name, writer), PlainTemplate.Parse(group.Template, out _)!, nodes,
                structures, limits.MaxPubSubMessageBytes);
        }

        if (group.IsUadp)
        {
            return new UadpNetworkMessageWriter(description, new UadpWriterOptions
            {
                PublisherId = wireId ?? UadpPublisherId.Of(publisherId),
                MaxDataSetMessageBytes = limits.MaxPubSubMessageBytes,
            }, keys.SealerOf(group));
        }

        return new CurrentJsonWriter(description, nodes, structures, limits.MaxPubSubMessageBytes);
    }
}
