using Gateway.Client.Subscriptions;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Client.Tests.Subscriptions;

public sealed class EventListReaderTests
{
    /// <summary>A byte of a peer makes an empty field, and no memory for it.</summary>
    [Fact]
    public void TryRead_ManyMoreFieldsThanAnyFilterHas_TheFirstOnesAndTheNextEvent()
    {
        var events = new EventListReader(new UaBinaryReader(Encode(fields: 100_000)));

        Assert.True(events.TryRead(out var first, out var fields, out _));
        Assert.Equal((1u, 4096), (first, fields.Length));
        Assert.True(events.TryRead(out var second, out fields, out _));
        Assert.Equal((2u, "hot"), (second, Assert.Single(fields).AsString()));
        Assert.False(events.TryRead(out _, out _, out _));
        Assert.Equal(StatusCode.Good, events.Status);
    }

    private static byte[] Encode(int fields)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteInt32(2);
        writer.WriteUInt32(1);
        writer.WriteInt32(fields);
        for (var i = 0; i < fields; i++)
            writer.WriteVariant(default);
        writer.WriteUInt32(2);
        writer.WriteInt32(1);
        writer.WriteVariant(new Variant("hot"));
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }
}
