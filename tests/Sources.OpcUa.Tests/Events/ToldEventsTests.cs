using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Events;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Events;

public sealed class ToldEventsTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly ToldEvents _told;

    public ToldEventsTests() => _told = new ToldEvents(_time, static () => 100);

    private DateTime Now => _time.GetUtcNow().UtcDateTime;

    [Fact]
    public void TryAdd_BehindATimeInTheFuture_OtherEventsAreNotOld()
    {
        Assert.True(_told.TryAdd(Event(1, Now)));
        Assert.True(_told.TryAdd(Event(2, Now.AddYears(10))));
        _told.Begin();

        Assert.False(_told.TryAdd(Event(1, Now)));
        Assert.True(_told.TryAdd(Event(3, Now.AddSeconds(1))));
    }

    [Fact]
    public void TryAdd_NoTimes_EventIdsDecide()
    {
        Assert.True(_told.TryAdd(Event(1, default)));
        _told.Begin();

        Assert.False(_told.TryAdd(Event(1, default)));
        Assert.True(_told.TryAdd(Event(2, default)));
    }

    private static Variant[] Event(byte id, DateTime at)
    {
        var fields = new Variant[Math.Max(MirroredFields.EventId, MirroredFields.Time) + 1];
        fields[MirroredFields.EventId] = Variant.FromByteString([id]);
        fields[MirroredFields.Time] = at == default ? default : new Variant(at);
        return fields;
    }
}
