namespace Gateway.PubSub.Uadp.Discovery;

/// <summary>A question of a subscriber. Immutable. Source: Part 14 §7.2.4.6.12.</summary>
/// <param name="PublisherId">The publisher that is asked.</param>
/// <param name="Type">The content of the answer.</param>
/// <param name="DataSetWriterIds">Empty for endpoints.</param>
internal sealed record UadpProbe(
    UadpPublisherId? PublisherId, UadpAnnouncementType Type, IReadOnlyList<ushort> DataSetWriterIds);
