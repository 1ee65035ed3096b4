using Gateway.Testing;

namespace Gateway.Store.Tests.Faults;

/// <summary>Random steps of a producer, a consumer, a disk that fails, and kills: each record is delivered or in a gap.
/// </summary>
public sealed class RandomTests
{
    private static readonly int[] Sizes = [8, 100, 3000, 40_000, 200_000];

    [Theory]
    [InlineData(ReadOrder.OldestFirst)]
    [InlineData(ReadOrder.LiveFirst)]
    [InlineData(ReadOrder.NewestFirst)]
    public void RandomSteps_EachRecord_IsDeliveredOrInAGap(ReadOrder order)
    {
        for (var seed = 0; seed < 15; seed++)
            Run(seed, order);
    }

    private static void Run(int seed, ReadOrder order)
    {
        var random = new Random(seed);
        var time = new ManualTimeProvider();
        var options = Logs.Small with { Order = order, MaxOutstanding = 20, CommitCount = 30 };
        var files = new MemoryFiles();
        var log = Logs.Stepped(files, options, time);
        HashSet<long> delivered = [];
        List<long> held = [];
        var last = 0L;
        for (var step = 0; step < 400; step++)
        {
            switch (random.Next(12))
            {
                case < 4:
                    for (var count = random.Next(20); count > 0; count--)
                    {
                        log.TryAppendNext(out var sequence, Sizes[random.Next(Sizes.Length)], (ushort)random.Next(3));
                        Assert.Equal(++last, sequence);
                    }

                    break;
                case < 8:
                    log.Turn();
                    for (var count = random.Next(30); count > 0 && log.TryRead(out var message); count--)
                    {
                        Logs.Check(message);
                        Assert.InRange(message.Sequence, 1, last);
                        Assert.DoesNotContain(message.Sequence, held);
                        held.Add(message.Sequence);
                        delivered.Add(message.Sequence);
                    }

                    break;
                case 8:
                    foreach (var sequence in held.Where(_ => random.Next(3) > 0).ToList())
                    {
                        Assert.True(random.Next(5) == 0 ? log.Return(sequence) : log.Acknowledge(sequence));
                        held.Remove(sequence);
                    }

                    break;
                case 9:
                    time.Advance(random.Next(2000));
                    break;
                case 10:
                    files.BytesUntilFailure = random.Next(2) == 0 ? random.Next(100_000) : null;
                    break;
                default:
                    // All is with the system, then the process is killed.
                    files.BytesUntilFailure = null;
                    time.Advance(2000);
                    log.Turn();
                    files = files.Copy();
                    log = Logs.Stepped(files, options, time);
                    held.Clear();
                    break;
            }
        }

        files.BytesUntilFailure = null;
        time.Advance(2000);
        log.Turn();
        held.ForEach(sequence => log.Acknowledge(sequence));
        delivered.UnionWith(log.ReadAll());
        var lost = log.Gaps.SelectMany(gap => Logs.Numbers(gap.From, gap.To));
        Assert.Empty(Logs.Numbers(1, last).Except(delivered).Except(lost));
        Assert.Equal(0, log.State.Records);
        Assert.True(log.Gaps.Sum(gap => gap.Count) <= last);
    }
}
