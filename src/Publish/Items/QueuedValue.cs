using Gateway.AddressSpace.Values;

namespace Gateway.Publish.Items;

/// <summary>An entry of an item's queue: a reference to the value, and the Overflow bit.</summary>
internal readonly record struct QueuedValue(SharedValue? Value, bool Overflow);
