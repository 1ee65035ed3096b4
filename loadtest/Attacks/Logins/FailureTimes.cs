using System.Globalization;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Attacks.Logins;

/// <summary>How long the answers to one door's failures took, by kind. Each round tries each kind once, in an order of
/// its own: the machine's other load, and the after-effect of one try on the next, are the same for all. Compared are
/// means without the shortest and the longest tenth. Answers leave in whole steps, so a median hides what is smaller
/// than a step, and jumps by one where the work ends near a step; a peer can average, and sees the mean.</summary>
/// <param name="door">Its name in the report.</param>
/// <param name="kinds">The kinds of failure; each says whether it was refused as it should be.</param>
/// <param name="prepare">Runs before each round, untimed.</param>
internal sealed class FailureTimes(
    string door, (string Name, Func<int, Task<bool>> Try)[] kinds, Func<Task>? prepare = null)
{
    private const double MostApart = 0.05;

    private readonly List<double>[] _times = [.. kinds.Select(_ => new List<double>())];
    private readonly Random _orders = new(1);
    private int _notRefused;

    /// <param name="rounds">Tries of each kind; one before them is not counted.</param>
    public async Task MeasureAsync(int rounds)
    {
        var order = Enumerable.Range(0, kinds.Length).ToArray();
        for (var round = -1; round < rounds; round++)
        {
            if (prepare is not null)
                await prepare();
            _orders.Shuffle(order);
            foreach (var kind in order)
            {
                var since = TimeProvider.System.GetTimestamp();
                var refused = await kinds[kind].Try(round);
                if (!refused)
                    _notRefused++;
                if (round >= 0)
                    _times[kind].Add(TimeProvider.System.GetElapsedTime(since).TotalMilliseconds);
            }
        }
    }

    public void AddTo(Report report, bool checksTimes)
    {
        var means = Array.ConvertAll(_times, MeanOf);
        for (var kind = 0; kind < kinds.Length; kind++)
            report.Add($"{door}, {kinds[kind].Name}", means[kind], "ms");
        var apart = (means.Max() / means.Min()) - 1;
        report.Add($"{door}, means apart", 100 * apart, "%");
        report.AddFault($"{door}, tries that were not refused as they should be", _notRefused);
        if (checksTimes && apart > MostApart)
            report.Fail(string.Create(
                CultureInfo.InvariantCulture, $"{door}: the kinds of failure differ by {100 * apart:0.0} % in time"));
    }

    private static double MeanOf(List<double> times) =>
        times.Order().Skip(times.Count / 10).Take(times.Count - (2 * (times.Count / 10))).Average();
}
