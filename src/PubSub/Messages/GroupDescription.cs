using Gateway.Codec.Structures;

namespace Gateway.PubSub.Messages;

/// <summary>The common parts of a WriterGroup's NetworkMessages. Immutable. Source: Part 14 §6.2.6, §6.3.1.1, §6.3.2.1.
/// </summary>
public sealed record GroupDescription
{
    public required string PublisherId { get; init; }

    public required string Name { get; init; }

    public required ushort WriterGroupId { get; init; }

    /// <summary>VersionTime of the group's layout.</summary>
    public uint GroupVersion { get; init; }

    public JsonNetworkMessageContentMask JsonMask { get; init; }

    public UadpNetworkMessageContentMask UadpMask { get; init; }
}
