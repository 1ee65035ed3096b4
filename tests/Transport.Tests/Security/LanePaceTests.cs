using Gateway.Testing;
using Gateway.Transport.Security;

namespace Gateway.Transport.Tests.Security;

public sealed class LanePaceTests
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(0.1);

    [Theory]
    [InlineData(0.05, 1)]
    [InlineData(0.3, 1)]
    [InlineData(0.5, 2)]
    [InlineData(0.05, 4)]
    [InlineData(0.8, 2)]
    public void Rest_WorkWithoutEnd_TakesItsShareOfTheWorkers(double share, int workers)
    {
        var worked = Work(share, workers, seconds: 20, pieceMs: 1.5);

        Assert.InRange(worked / (20.0 * workers), share * 0.97, share * 1.03);
    }

    [Fact]
    public void Rest_AllOfIt_NeverRests()
    {
        var time = new ManualTimeProvider();
        var pace = new LanePace(() => 1, time, 1);
        for (var i = 0; i < 100; i++)
        {
            Assert.Equal(TimeSpan.Zero, pace.Rest());
            pace.Began();
            time.Advance(TimeSpan.FromMilliseconds(5));
            pace.Ended(TimeSpan.FromMilliseconds(5));
        }
    }

    [Fact]
    public void Rest_HalfOfOneWorker_AsLongAsItWorked()
    {
        var time = new ManualTimeProvider();
        var pace = new LanePace(() => 0.5, time, 1);
        // Whatever credit there was is used up, and the guess is that of this work.
        for (var i = 0; i < 50; i++)
            WorkAndRest(pace, time);

        Assert.InRange(WorkAndRest(pace, time).TotalMilliseconds, 3.9, 4.1);
    }

    [Fact]
    public void Rest_AfterALongPause_NoBurst()
    {
        var time = new ManualTimeProvider();
        var pace = new LanePace(() => 0.1, time, 1);
        WorkAndRest(pace, time);
        time.Advance(TimeSpan.FromMinutes(1));

        Assert.Equal(TimeSpan.Zero, pace.Rest());
        WorkAndRest(pace, time);
        Assert.True(pace.Rest() == TimeSpan.Zero);
        pace.Began();
        Assert.True(pace.Rest() > TimeSpan.Zero);
    }

    [Fact]
    public void Rest_AfterAPieceThatHung_NotForThatTime()
    {
        var time = new ManualTimeProvider();
        var pace = new LanePace(() => 0.05, time, 2);
        pace.Began();
        pace.Ended(TimeSpan.FromSeconds(3));

        Assert.InRange(pace.Rest().TotalMilliseconds, 1, 150);
    }

    [Fact]
    public void Rest_TwoWorkersAtHalf_OneWorksAtATime()
    {
        var time = new ManualTimeProvider();
        var pace = new LanePace(() => 0.5, time, 2);
        for (var i = 0; i < 50; i++)
            WorkAndRest(pace, time);
        while (pace.Rest() > TimeSpan.Zero)
            time.Advance(Step);
        pace.Began();

        Assert.True(pace.Rest() > TimeSpan.Zero);
    }

    private static TimeSpan WorkAndRest(LanePace pace, ManualTimeProvider time)
    {
        var worked = TimeSpan.FromMilliseconds(4);
        pace.Began();
        time.Advance(worked);
        pace.Ended(worked);
        var rest = pace.Rest();
        time.Advance(rest);
        return rest;
    }

    /// <returns>Seconds worked by all.</returns>
    private static double Work(double share, int workers, int seconds, double pieceMs)
    {
        var time = new ManualTimeProvider();
        var pace = new LanePace(() => share, time, workers);
        var piece = TimeSpan.FromMilliseconds(pieceMs);
        List<TimeSpan> ends = [];
        var worked = 0.0;
        while (time.Elapsed < TimeSpan.FromSeconds(seconds))
        {
            for (var i = ends.Count - 1; i >= 0; i--)
            {
                if (ends[i] > time.Elapsed)
                    continue;
                ends.RemoveAt(i);
                pace.Ended(piece);
                worked += piece.TotalSeconds;
            }

            while (ends.Count < workers && pace.Rest() == TimeSpan.Zero)
            {
                pace.Began();
                ends.Add(time.Elapsed + piece);
            }

            time.Advance(Step);
        }

        return worked;
    }
}
