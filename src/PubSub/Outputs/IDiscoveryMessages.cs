using Gateway.Codec.Structures;

namespace Gateway.PubSub.Outputs;

/// <summary>The discovery messages of a publisher in one mapping. Thread-safe.</summary>
internal interface IDiscoveryMessages
{
    /// <summary>One that stands until the next: also the Will.</summary>
    RetainedMessage Status(PubSubState state);

    RetainedMessage Application(DateTime now);

    RetainedMessage Connection(DateTime now);

    /// <summary>Null: it cannot be sealed now.</summary>
    RetainedMessage? MetaData(Announcement announcement, DateTime now);
}
