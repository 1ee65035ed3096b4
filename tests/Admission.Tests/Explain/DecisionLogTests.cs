using Gateway.Admission.Explain;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;

namespace Gateway.Admission.Tests.Explain;

public sealed class DecisionLogTests
{
    [Fact]
    public void Snapshot_MoreThanKept_NewestFirst()
    {
        var log = new DecisionLog(3);
        for (var i = 1; i <= 5; i++)
            log.Add(Refusal(i));

        Assert.Equal(5, log.Total);
        Assert.Equal([5, 4, 3], log.Snapshot().Select(refusal => refusal.RetryAfterMs));
    }

    [Fact]
    public void Snapshot_Few_AllOfThem()
    {
        var log = new DecisionLog(3);
        log.Add(Refusal(1));

        Assert.Equal(1, Assert.Single(log.Snapshot()).RetryAfterMs);
    }

    /// <summary>The entries stay as long as no other refusals come (R04).</summary>
    [Fact]
    public void Add_LongTexts_AreCut()
    {
        var log = new DecisionLog(3);
        var longText = new string('x', 100_000);
        log.Add(Refusal(1) with { Subject = longText, Detail = longText, User = longText });

        var kept = Assert.Single(log.Snapshot());
        Assert.All(new[] { kept.Subject, kept.Detail, kept.User }, text => Assert.InRange(text!.Length, 100, 1_000));
    }

    [Fact]
    public async Task Add_ManyThreads_NoneLostNoneMixed()
    {
        var log = new DecisionLog(1_000);

        await Task.WhenAll(Enumerable.Range(0, 4).Select(thread => Task.Run(() =>
        {
            for (var i = 0; i < 1_000; i++)
            {
                log.Add(Refusal((thread * 1_000) + i));
                if (i % 100 == 0)
                    Assert.DoesNotContain(log.Snapshot(), refusal => refusal is null);
            }
        })));

        Assert.Equal(4_000, log.Total);
        Assert.Equal(1_000, log.Snapshot().Distinct().Count());
    }

    private static Refusal Refusal(int number) => new(
        DateTimeOffset.UnixEpoch, AdmissionStage.Connection, RefusalReason.QueueFull,
        StatusCodes.BadTcpServerTooBusy, number, "127.0.0.1", "", null, null);
}
