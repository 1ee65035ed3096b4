namespace Gateway.Sources.OpcUa.Items;

/// <summary>An item of the upstream, as a standby is to have it, too.</summary>
/// <param name="Node">Its client handle.</param>
/// <param name="AskedMs">See <see cref="ActiveItem.AskedMs"/>.</param>
/// <param name="Timestamps">It reports changes of the SourceTimestamp alone.</param>
internal readonly record struct MirroredItem(int Node, float AskedMs, bool Timestamps);
