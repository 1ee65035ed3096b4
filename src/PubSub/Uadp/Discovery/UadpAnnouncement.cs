using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.PubSub.Uadp.Discovery;

/// <summary>A discovery announcement; the members of its type are there. Immutable. Source: Part 14 §7.2.4.6.</summary>
internal sealed class UadpAnnouncement
{
    public UadpPublisherId? PublisherId { get; init; }

    public UadpAnnouncementType Type { get; init; }

    /// <summary>Of the publisher's announcements.</summary>
    public ushort SequenceNumber { get; init; }

    /// <summary>Of metadata: one. Of a configuration: those that were asked for or have changed.</summary>
    public ushort[] DataSetWriterIds { get; init; } = [];

    public DataSetMetaDataType? MetaData { get; init; }

    public WriterGroupDataType? Configuration { get; init; }

    public EndpointDescription[] Endpoints { get; init; } = [];

    public PubSubConnectionDataType[] Connections { get; init; } = [];

    /// <summary>Null: the announcement of an application is one of its status.</summary>
    public ApplicationDescription? Application { get; init; }

    public string?[] Capabilities { get; init; } = [];

    public PubSubState? Status { get; init; }

    /// <summary>One, and of a configuration one for each DataSetWriterId.</summary>
    public StatusCode[] Statuses { get; init; } = [];
}
