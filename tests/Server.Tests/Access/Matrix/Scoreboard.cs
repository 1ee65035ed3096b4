using Xunit.Abstractions;

namespace Gateway.Server.Tests.Access.Matrix;

/// <summary>Counts what came through each door and keeps what was not as the table says.</summary>
internal sealed class Scoreboard
{
    private readonly SortedDictionary<string, (int Rows, int Faults)> _doors = new(StringComparer.Ordinal);
    private readonly List<string> _faults = [];

    public void Check<T>(string door, string kind, T expected, T actual)
    {
        var isFault = !EqualityComparer<T>.Default.Equals(expected, actual);
        var (rows, faults) = _doors.GetValueOrDefault(door);
        _doors[door] = (rows + 1, faults + (isFault ? 1 : 0));
        if (isFault)
            _faults.Add($"{door} | {kind}: expected {expected}, was {actual}");
    }

    public void AssertClean(ITestOutputHelper output, string title)
    {
        output.WriteLine(
            $"{title}: {_doors.Values.Sum(door => door.Rows)} rows, {_faults.Count} not as the table says");
        foreach (var (door, (rows, faults)) in _doors)
            output.WriteLine($"  {(faults == 0 ? "green" : "red  ")} {door}: {rows} rows, {faults} faults");
        Assert.True(_faults.Count == 0, string.Join(Environment.NewLine, _faults));
    }
}
