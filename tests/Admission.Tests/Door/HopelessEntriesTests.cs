using Gateway.Admission.Stages;
using Gateway.Admission.Tests.Support;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Door;

public class HopelessEntriesTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void Pump_MoreThanCanBeServed_ToldEvenlyBeforeTheirPatienceEnds()
    {
        var limits = new AdmissionLimits();
        var control = new AdmissionControl(limits, _time, true, 100);
        Visitor[] storm = [.. Enumerable.Range(0, 5_000).Select(i => new Visitor($"10.1.{i / 250}.{i % 250}"))];
        foreach (var visitor in storm)
        {
            control.Door.Arrive(visitor);
            visitor.Pass?.OpenArrived();
        }

        List<int> told = [];
        for (var tenth = 1; tenth <= 40; tenth++)
        {
            var before = storm.Count(visitor => visitor.Refusal is not null);
            _time.Advance(100);
            control.Door.Pump();
            told.Add(storm.Count(visitor => visitor.Refusal is not null) - before);
        }

        var hopeless = told.Sum();
        Assert.All(told[..9], count => Assert.Equal(0, count));
        Assert.All(told[10..39], count => Assert.InRange(count, 0.8 * hopeless / 30, 1.2 * hopeless / 30));
        Assert.InRange(hopeless, 5_000 - control.Window.Size - (100 * 4) - 10, 5_000 - control.Window.Size);
        Assert.Equal(
            hopeless, control.Stages.Shedded(AdmissionStage.Connection, RefusalReason.WaitedTooLong));
    }

    [Fact]
    public void Pump_HopelessOneIsLetInBeforeItsMoment_NotTold()
    {
        var control = new AdmissionControl(new AdmissionLimits(), _time, true, 100);
        var passes = new List<Visitor>();
        for (var i = 0; i < 1_000; i++)
        {
            passes.Add(new Visitor($"10.1.{i / 250}.{i % 250}"));
            control.Door.Arrive(passes[^1]);
            passes[^1].Pass?.OpenArrived();
        }

        while (control.Door.Waiting > 0)
        {
            foreach (var visitor in passes)
                visitor.Pass?.OpenEnded();
            control.Door.Pump();
        }

        _time.Advance(5_000);
        control.Door.Pump();

        Assert.DoesNotContain(passes, visitor => visitor.Refusal is not null);
    }
}
