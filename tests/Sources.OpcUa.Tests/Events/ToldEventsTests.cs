using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Events;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Events;

public sealed class ToldEventsTests
{
    private const int Capacity = 100;

    private readonly ManualTimeProvider _time = new();
    private readonly ToldEvents _told;

    public ToldEventsTests() => _told = new ToldEvents(_time, static () => Capacity);

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

    [Fact]
    public void TryAdd_ARefreshOfManyConditions_WhatWasToldIsStillKnown()
    {
        Assert.True(_told.TryAdd(Event(1, Now)));
        _told.BeginRefresh(Now.AddSeconds(1));
        for (var i = 0; i <= Capacity; i++)
            Assert.True(_told.TryAdd(Event(i + 2, Now.AddDays(-1), isCondition: true)));
        _told.EndRefresh();
        _told.Begin();

        Assert.False(_told.TryAdd(Event(1, Now)));
    }

    /// <summary>A condition that changes in the middle of it.</summary>
    [Fact]
    public void TryAdd_NewEventWithinARefresh_IsKnown()
    {
        _told.BeginRefresh(Now);
        Assert.True(_told.TryAdd(Event(1, Now.AddSeconds(1), isCondition: true)));
        _told.EndRefresh();
        _told.Begin();

        Assert.False(_told.TryAdd(Event(1, Now.AddSeconds(1), isCondition: true)));
    }

    /// <summary>The refresh behind a failover says how the conditions are: what it does not tell is gone.</summary>
    [Fact]
    public void TryAdd_ConditionWithinARefreshThatIsInTheQueue_IsTold()
    {
        Assert.True(_told.TryAdd(Event(1, Now, isCondition: true)));
        Assert.True(_told.TryAdd(Event(2, Now)));
        _told.Begin();

        _told.BeginRefresh(Now);
        Assert.True(_told.TryAdd(Event(1, Now, isCondition: true)));
        Assert.False(_told.TryAdd(Event(2, Now)));
        _told.EndRefresh();
        Assert.False(_told.TryAdd(Event(1, Now, isCondition: true)));
    }

    /// <summary>A server that repeats its EventIds, and whose clock is coarse: nothing may be lost.</summary>
    [Fact]
    public void TryAdd_OtherEventWithTheIdAndTimeOfOneThatWasTold_IsTold()
    {
        Assert.True(_told.TryAdd(Event(1, Now, message: "opened")));
        _told.Begin();

        Assert.False(_told.TryAdd(Event(1, Now, message: "opened")));
        Assert.True(_told.TryAdd(Event(1, Now, message: "closed")));
        Assert.False(_told.TryAdd(Event(1, Now, message: "closed")));
    }

    [Theory]
    [InlineData(MirroredFields.Comment, true)]
    [InlineData(MirroredFields.Quality, true)]
    [InlineData(MirroredFields.LastSeverity, true)]
    [InlineData(MirroredFields.Suppressed, true)]
    [InlineData(MirroredFields.OutOfService, true)]
    [InlineData(MirroredFields.ActionTime, true)]
    [InlineData(MirroredFields.SourceNode, false)]
    [InlineData(MirroredFields.ReceiveTime, false)]
    public void TryAdd_EventThatDiffersInAFieldFromOneThatWasTold_IsToldWhereTwoServersHaveItAlike(
        int field, bool isAlike)
    {
        Assert.True(_told.TryAdd(Event(1, Now)));
        _told.Begin();

        var other = Event(1, Now);
        other[field] = field switch
        {
            MirroredFields.Comment => new Variant(new LocalizedText("seen")),
            MirroredFields.Quality => new Variant(new StatusCode(StatusCodes.BadSensorFailure)),
            MirroredFields.LastSeverity => new Variant((ushort)700),
            MirroredFields.Suppressed or MirroredFields.OutOfService => new Variant(true),
            MirroredFields.SourceNode => new Variant(new NodeId("Level", 3)),
            _ => new Variant(Now.AddSeconds(1)),
        };
        Assert.False(_told.TryAdd(Event(1, Now)));
        Assert.Equal(isAlike, _told.TryAdd(other));
    }

    private static Variant[] Event(int id, DateTime at, bool isCondition = false, string? message = null)
    {
        var fields = new Variant[MirroredFields.LeastCount];
        fields[MirroredFields.Message] = new Variant(new LocalizedText(message));
        fields[MirroredFields.EventId] = Variant.FromByteString([(byte)id]);
        if (isCondition)
            fields[MirroredFields.ConditionId] = new Variant(new NodeId("Level", 2));
        fields[MirroredFields.Time] = at == default ? default : new Variant(at);
        return fields;
    }
}
