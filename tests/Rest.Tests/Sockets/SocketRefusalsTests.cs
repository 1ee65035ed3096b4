using Gateway.Rest.Sockets;
using Gateway.Testing;

namespace Gateway.Rest.Tests.Sockets;

public sealed class SocketRefusalsTests
{
    private const int Most = 100;

    private readonly ManualTimeProvider _time = new();

    /// <summary>A busy server hears a flood slowly.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(999)]
    public void Flood_AtAnyPace_IsEnded(int milliseconds)
    {
        var refusals = default(SocketRefusals);
        for (var i = 0; i < Most; i++)
        {
            Assert.False(refusals.IsFlood(Most, _time));
            _time.Advance(TimeSpan.FromMilliseconds(milliseconds));
        }

        Assert.True(refusals.IsFlood(Most, _time));
    }

    [Fact]
    public void Bursts_WithPausesBetween_AreNone()
    {
        var refusals = default(SocketRefusals);
        for (var burst = 0; burst < 3; burst++)
        {
            for (var i = 0; i < Most; i++)
                Assert.False(refusals.IsFlood(Most, _time));
            _time.Advance(SocketRefusals.Pause);
        }
    }
}
