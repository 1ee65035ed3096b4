using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Publish.Items;

namespace Gateway.Publish.Streams;

/// <summary>One notification of a batch.</summary>
/// <param name="Handle">As the item was added with: <see cref="StreamItem.Handle"/>.</param>
/// <param name="Value">Encoded once for all consumers: a consumer may key its own form of it by this object, and share
/// it, as long as it holds a reference. The batch holds one.</param>
/// <param name="Bits">Additional facts: values before it were lost, its meaning has changed.</param>
/// <param name="Kind">Of an event, the value is the Variant that holds the array of its fields.</param>
public readonly record struct StreamChange(
    uint Handle, SharedValue Value, NotificationBits Bits, NotificationKind Kind)
{
    /// <summary>Of the value, with the bits.</summary>
    public StatusCode Status => new(Value.Status.Code | (uint)Bits);
}
