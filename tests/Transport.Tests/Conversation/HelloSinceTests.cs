using Gateway.Testing;
using Gateway.Transport.Conversation;

namespace Gateway.Transport.Tests.Conversation;

public sealed class HelloSinceTests
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(5);

    [Theory]
    [InlineData(3, 3)]
    [InlineData(3.9, 3.9)]
    [InlineData(20, 4)]
    public void HelloSince_WaitedAtTheDoor_CountsButForASecond(double waited, double counted)
    {
        var time = new ManualTimeProvider();
        time.Advance(60_000);
        var since = time.GetTimestamp();
        time.Advance(waited * 1000);

        var from = ServerRole.HelloSince(since, Deadline, time);

        Assert.Equal(counted, time.GetElapsedTime(from).TotalSeconds, 3);
    }
}
