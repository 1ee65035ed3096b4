using Gateway.AddressSpace.Values;

namespace Gateway.Publish.Items;

/// <summary>An entry of an item's queue: a reference to the value, and what its notification says about it.</summary>
internal readonly record struct QueuedValue(SharedValue Value, NotificationBits Bits);
