using Gateway.AddressSpace.Values;

namespace Gateway.Publish.Items;

/// <summary>An entry of an item's queue: a reference to the reported value, and the bits of its notification. The queue
/// does not depend on the kind: the value of a data change, or the Variant that holds an event's fields.
/// </summary>
internal readonly record struct QueuedValue(SharedValue Value, NotificationBits Bits);
