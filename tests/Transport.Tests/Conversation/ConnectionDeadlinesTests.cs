using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Tests.Conversation;

/// <summary>Each deadline one tick before and one tick after, by time alone.</summary>
public sealed class ConnectionDeadlinesTests
{
    private static readonly TransportLimits Limits = new();
    private static readonly MessageLimits BeforeSession = MessageLimits.Of(Limits, hasActiveSession: false);
    private static readonly MessageLimits WithSession = MessageLimits.Of(Limits, hasActiveSession: true);
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(1);

    private readonly ManualTimeProvider _time = new();
    private readonly ConnectionDeadlines _deadlines;

    public ConnectionDeadlinesTests()
    {
        _time.Advance(Tick);
        _deadlines = new ConnectionDeadlines(Limits, _time);
    }

    [Theory]
    [InlineData(ConnectionPhase.Hello, ChannelCloseReason.HelloDeadline)]
    [InlineData(ConnectionPhase.Opening, ChannelCloseReason.OpenDeadline)]
    public void Passed_PhaseTakesTooLong_ItsReason(object phase, ChannelCloseReason reason)
    {
        _time.Advance(TimeSpan.FromHours(1));
        _deadlines.Enter((ConnectionPhase)phase);

        PassesAfter(reason == ChannelCloseReason.HelloDeadline ? Limits.HelloDeadline : Limits.OpenDeadline, reason);
    }

    [Fact]
    public void Passed_PhaseBeganEarlier_TheTimeRunsFromThere()
    {
        _deadlines.PhaseSince = _time.GetTimestamp();
        _time.Advance(Limits.HelloDeadline - TimeSpan.FromSeconds(1));

        PassesAfter(TimeSpan.FromSeconds(1), ChannelCloseReason.HelloDeadline);
    }

    [Fact]
    public void Passed_OpenAndSilent_Never()
    {
        _deadlines.Enter(ConnectionPhase.Open);
        _time.Advance(TimeSpan.FromDays(1));

        Assert.Null(Passed());
        Assert.Equal(TimeSpan.FromDays(1), _deadlines.IdleTime(_time.GetTimestamp()));
        _deadlines.Received(1, isPartial: false, 0);
        Assert.Equal(TimeSpan.Zero, _deadlines.IdleTime(_time.GetTimestamp()));
    }

    [Fact]
    public void Passed_OutputIsStalled_BeforeAllOthers()
    {
        var since = _time.GetTimestamp();
        _time.Advance(Limits.WriteDeadline);
        Assert.Equal(ChannelCloseReason.HelloDeadline, Passed(since));
        _time.Advance(Tick);

        Assert.Equal(ChannelCloseReason.WriteDeadline, Passed(since));
    }

    [Fact]
    public void Passed_ChunkIsNotWhole_TheChunkDeadline()
    {
        _deadlines.Enter(ConnectionPhase.Open);
        _deadlines.Received(0, isPartial: true, 50);

        PassesAfter(Limits.ChunkDeadline, ChannelCloseReason.ChunkDeadline);
        _deadlines.Received(1, isPartial: false, 0);
        Assert.Null(Passed());
    }

    [Fact]
    public void Passed_ChunksComeBeforeASession_TheMessageHasTheTimeOfOne()
    {
        _deadlines.Enter(ConnectionPhase.Open);
        _deadlines.Received(1, isPartial: true, 1_000_000);
        _time.Advance(Limits.ChunkDeadline - Tick);
        _deadlines.Received(1, isPartial: true, 2_000_000);

        PassesAfter(Tick, ChannelCloseReason.ChunkDeadline);
        Assert.Null(Passed(limits: WithSession));
    }

    [Fact]
    public void Passed_LargeMessageWithASession_TimeGrowsWithItsBytes()
    {
        var seconds = 30;
        _deadlines.Enter(ConnectionPhase.Open);
        _deadlines.Received(1, isPartial: true, seconds * Limits.MinMessageBytesPerSecond);
        var left = Limits.ChunkDeadline + TimeSpan.FromSeconds(seconds);
        var step = Limits.ChunkDeadline - TimeSpan.FromSeconds(1);
        for (; left > step; left -= step)
        {
            _time.Advance(step);
            _deadlines.Received(1, isPartial: true, seconds * Limits.MinMessageBytesPerSecond);
        }

        PassesAfter(left, ChannelCloseReason.MessageDeadline, WithSession);
    }

    [Fact]
    public void Passed_MessageEndsAndTheNextBegins_ItHasItsOwnTime()
    {
        _deadlines.Enter(ConnectionPhase.Open);
        _deadlines.Received(0, isPartial: true, 50);
        _time.Advance(Limits.ChunkDeadline - Tick);
        _deadlines.MessageEnded();
        _deadlines.Received(1, isPartial: true, 50);

        PassesAfter(Limits.ChunkDeadline, ChannelCloseReason.ChunkDeadline);
    }

    private ChannelCloseReason? Passed(long stalledSince = 0, MessageLimits? limits = null) =>
        _deadlines.Passed(_time.GetTimestamp(), stalledSince, limits ?? BeforeSession);

    private void PassesAfter(TimeSpan time, ChannelCloseReason reason, MessageLimits? limits = null)
    {
        _time.Advance(time);
        Assert.Null(Passed(limits: limits));
        _time.Advance(Tick);
        Assert.Equal(reason, Passed(limits: limits));
    }
}
