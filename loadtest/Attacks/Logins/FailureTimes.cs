using System.Globalization;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Attacks.Logins;

/// <summary>How long the answers to one door's failures took, by kind. The kinds take turns, so that what the machine
/// does meanwhile is the same for all.</summary>
internal sealed class FailureTimes(string door, (string Name, Func<int, Task<bool>> Try)[] kinds)
{
    private const double MostApart = 0.05;

    private readonly List<double>[] _times = [.. kinds.Select(_ => new List<double>())];
    private int _notRefused;

    /// <param name="rounds">Tries of each kind; one before them is not counted.</param>
    public async Task MeasureAsync(int rounds)
    {
        for (var round = -1; round < rounds; round++)
        {
            for (var kind = 0; kind < kinds.Length; kind++)
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
        var medians = Array.ConvertAll(_times, MedianOf);
        for (var kind = 0; kind < kinds.Length; kind++)
            report.Add($"{door}, {kinds[kind].Name}", medians[kind], "ms");
        var apart = (medians.Max() / medians.Min()) - 1;
        report.Add($"{door}, medians apart", 100 * apart, "%");
        report.AddFault($"{door}, tries that were not refused as they should be", _notRefused);
        if (checksTimes && apart > MostApart)
            report.Fail(string.Create(
                CultureInfo.InvariantCulture, $"{door}: the kinds of failure differ by {100 * apart:0.0} % in time"));
    }

    private static double MedianOf(List<double> times) => times.Order().ElementAt(times.Count / 2);
}
