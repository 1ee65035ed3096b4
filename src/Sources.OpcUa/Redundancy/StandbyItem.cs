using Gateway.Sources.OpcUa.Items;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>An item that samples at a standby.</summary>
/// <param name="Item">As granted there.</param>
/// <param name="Timestamps">See <see cref="MirroredItem.Timestamps"/>.</param>
internal readonly record struct StandbyItem(ActiveItem Item, bool Timestamps);
