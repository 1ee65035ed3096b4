using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Tests.Clients;

public sealed class WriteLogTests
{
    [Fact]
    public void TimeMsOf_Marked_IsItsTime()
    {
        var log = new WriteLog(2);
        log.Mark(1, 5, 3 * TimeProvider.System.TimestampFrequency);

        Assert.Equal(3000, log.TimeMsOf(1, 5), 6);
        Assert.True(double.IsNaN(log.TimeMsOf(0, 5)));
        Assert.True(double.IsNaN(log.TimeMsOf(1, 6)));
    }

    [Fact]
    public void TimeMsOf_TooLongAgo_IsNotKnown()
    {
        var log = new WriteLog(1);
        for (var value = 1; value <= 65; value++)
            log.Mark(0, value, 0);

        Assert.True(double.IsNaN(log.TimeMsOf(0, 1)));
        Assert.Equal(0, log.TimeMsOf(0, 65));
    }
}
