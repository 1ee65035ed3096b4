using System.Globalization;
using Gateway.Loadtest.Observers;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>The lives and ends of one kind of socket. Threads: any add; read when all have ended.</summary>
internal sealed class SlowKind(string name)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, int> _ends = [];
    private readonly List<double> _lives = [];

    public static string[] Columns { get; } =
        ["kind", "sockets", "lived p50, s", "lived p99, s", "lived max, s", "still there or never", "ends"];

    /// <summary>Sockets that the server did not end in time, with those that never came to a connection.</summary>
    public int NotEnded { get; private set; }

    public int Count => _lives.Count + NotEnded;

    public double LongestSeconds => _lives.Count > 0 ? _lives.Max() : double.NaN;

    public void Add(string end, double seconds)
    {
        lock (_lock)
        {
            _ends[end] = _ends.GetValueOrDefault(end) + 1;
            if (double.IsNaN(seconds))
                NotEnded++;
            else
                _lives.Add(seconds);
        }
    }

    /// <summary>Sockets that lived longer, those without an end with them.</summary>
    public int CountBeyond(double seconds) => NotEnded + _lives.Count(life => life > seconds);

    public string[] Row()
    {
        var lives = _lives.Order().ToArray();
        var ends = _ends.OrderByDescending(pair => pair.Value).Select(pair =>
            string.Create(CultureInfo.InvariantCulture, $"{pair.Key}: {pair.Value}"));
        return
        [
            name, Count.ToString("N0", CultureInfo.InvariantCulture), Text(Percentiles.Of(lives, 0.5)),
            Text(Percentiles.Of(lives, 0.99)), Text(Percentiles.Of(lives, 1)),
            NotEnded.ToString("N0", CultureInfo.InvariantCulture), string.Join("; ", ends),
        ];
    }

    private static string Text(double value) =>
        double.IsFinite(value) ? value.ToString("0.00", CultureInfo.InvariantCulture) : "n/a";
}
