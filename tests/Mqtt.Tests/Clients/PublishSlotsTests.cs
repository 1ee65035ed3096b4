using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Sessions;

namespace Gateway.Mqtt.Tests.Clients;

public sealed class PublishSlotsTests
{
    private readonly CompletionPool _pool = new(8, _ => { });

    /// <summary>A second PUBACK for an identifier must not hit the slot's next message.</summary>
    [Fact]
    public void Take_SlotUsedAgain_HasANewIdentifier()
    {
        var slots = new PublishSlots(2, 1000);
        var first = slots.Take(Message(10), _pool.Rent(1));
        var identifier = first.PacketIdentifier;
        slots.Free(first);
        slots.Take(Message(10), _pool.Rent(1));
        var again = slots.Take(Message(10), _pool.Rent(1));

        Assert.Same(first, again);
        Assert.Null(slots.Find(identifier));
        Assert.Same(again, slots.Find(again.PacketIdentifier));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(16_384)]
    public void Take_Often_IdentifiersStayInTheirRange(int count)
    {
        var slots = new PublishSlots(count, 1 << 20);
        for (var i = 0; i < 200_000; i++)
        {
            Assert.True(slots.HasRoomFor(Message(1)));
            var slot = slots.Take(Message(1), _pool.Rent(1));
            Assert.InRange(slot.PacketIdentifier, 1, PublishSlots.LastIdentifier);
            Assert.Same(slot, slots.Find(slot.PacketIdentifier));
            slots.Free(slot);
        }
    }

    [Fact]
    public void Take_BytesReached_NoRoomButOneIsAlwaysTaken()
    {
        var slots = new PublishSlots(4, 100);
        Assert.True(slots.HasRoomFor(Message(500)));
        var large = slots.Take(Message(500), _pool.Rent(1));
        Assert.False(slots.HasRoomFor(Message(1)));
        slots.Free(large);

        Assert.True(slots.HasRoomFor(Message(60)));
        slots.Take(Message(60), _pool.Rent(1));
        Assert.False(slots.HasRoomFor(Message(60)));
        Assert.Equal((1, 61), (slots.Count, slots.Bytes));
    }

    private static MqttMessage Message(int payload) =>
        new() { Topic = "a"u8.ToArray(), Payload = new byte[payload] };
}
