using Gateway.AddressSpace.Values;

namespace Gateway.Publish.Items;

/// <summary>An entry of an item's queue: a reference to what is reported, and what its notification says about it. The
/// queue does not care what kind it is: the value of a data change, or the Variant that holds an event's fields.
/// </summary>
internal readonly record struct QueuedValue(SharedValue Value, NotificationBits Bits);
