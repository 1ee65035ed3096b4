using Gateway.Transport.Timing;

namespace Gateway.Transport.Tests.Timing;

public sealed class TimingWheelTests
{
    private const long Millisecond = TimeSpan.TicksPerMillisecond;

    [Fact]
    public void Advance_RandomEntries_EachComesUpInItsMillisecondAndNeverEarly()
    {
        var random = new Random(7);
        var wheel = new TimingWheel(0, Millisecond, 4096);
        var waiting = new HashSet<Entry>();
        var due = new List<TimerEntry>();
        var now = 0L;
        for (var step = 0; step < 20_000; step++)
        {
            if (waiting.Count < 200)
            {
                var entry = new Entry { Due = now + random.NextInt64(-Millisecond, 20_000 * Millisecond) };
                wheel.Add(entry);
                waiting.Add(entry);
            }

            if (random.Next(4) == 0 && waiting.Count > 1)
            {
                var removed = waiting.First();
                wheel.Remove(removed);
                waiting.Remove(removed);
            }

            var next = wheel.NextDue(now, 10_000 * Millisecond);
            Assert.True(next <= Math.Max(now + Millisecond, waiting.Min(entry => entry.Due) + Millisecond));
            now = random.Next(50) == 0 ? now + random.NextInt64(30_000 * Millisecond) : Math.Max(next, now);
            wheel.Advance(now, due);
            foreach (var entry in due.Cast<Entry>())
            {
                Assert.True(entry.Due <= now);
                Assert.True(waiting.Remove(entry));
                Assert.False(entry.IsScheduled);
            }

            due.Clear();
            Assert.All(waiting, entry => Assert.True(entry.Due > now - Millisecond));
            Assert.Equal(waiting.Count, wheel.Count);
        }
    }

    [Fact]
    public void NextDue_Empty_IsTheHorizon()
    {
        var wheel = new TimingWheel(5 * Millisecond, Millisecond, 4096);
        Assert.Equal(105 * Millisecond, wheel.NextDue(5 * Millisecond, 100 * Millisecond));
    }

    private sealed class Entry : TimerEntry
    {
        public override void OnDue(long now)
        {
        }
    }
}
