using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.PubSub.Json;

namespace Gateway.PubSub.Outputs;

/// <summary>In JSON. Source: Part 14 §7.2.5.5.</summary>
/// <param name="publisher">The gateway.</param>
/// <param name="connection">As subscribers may know it.</param>
/// <param name="topics">Of the publisher.</param>
/// <param name="nodes">Their namespaces.</param>
internal sealed class JsonDiscovery(
    PublisherFacts publisher, PubSubConnectionDataType connection, TopicTree topics, NodeTable nodes)
    : IDiscoveryMessages
{
    private const bool IsJson = true;

    private JsonDiscoveryMessages Messages
    {
        get
        {
            var uris = nodes.Namespaces.Uris;
            return new JsonDiscoveryMessages(new JsonFormat { Uris = new JsonUris(uris, uris[1..2]) });
        }
    }

    public RetainedMessage Status(PubSubState state) =>
        new(TopicTree.StatusType, topics.Status(IsJson), Messages.Status(Head(default), state));

    public RetainedMessage Application(DateTime now) => new(
        TopicTree.ApplicationType, topics.Application(IsJson),
        Messages.Application(Head(now), publisher.Description, PublisherFacts.Capabilities));

    public RetainedMessage Connection(DateTime now) => new(
        TopicTree.ConnectionType, topics.Connection(IsJson), Messages.Connection(Head(now), connection));

    public RetainedMessage? MetaData(Announcement announcement, DateTime now) => new(
        TopicTree.MetaDataType, topics.MetaData(IsJson, announcement.Group.Name, announcement.Writer.Name),
        Messages.MetaData(Head(now), announcement.Group.Name, announcement.Writer));

    private JsonMessageHead Head(DateTime now) => new(Guid.NewGuid(), publisher.PublisherId, now);
}
