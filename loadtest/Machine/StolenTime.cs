using System.Globalization;

namespace Gateway.Loadtest.Machine;

/// <summary>The processor time that the host of a virtual machine took since this was made: with much of it, figures of
/// time say more about the host than about the server.</summary>
internal sealed class StolenTime(string file = "/proc/stat")
{
    /// <summary>Of a line <c>cpu</c>: user, nice, system, idle, iowait, irq, softirq, steal. Source: proc(5).</summary>
    private const int Kinds = 8;

    private readonly (double Stolen, double All) _begin = Read(file);

    /// <summary>Of all processor time, 0 to 1; NaN where the system does not tell.</summary>
    public double Share
    {
        get
        {
            var (stolen, all) = Read(file);
            return (stolen - _begin.Stolen) / (all - _begin.All);
        }
    }

    public override string ToString() => double.IsFinite(Share)
        ? string.Create(CultureInfo.InvariantCulture, $"{100 * Share:0.0} %")
        : "not known";

    private static (double Stolen, double All) Read(string file)
    {
        var line = File.Exists(file) ? File.ReadLines(file).FirstOrDefault() ?? string.Empty : string.Empty;
        var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (words.Length <= Kinds || words[0] != "cpu")
            return (double.NaN, double.NaN);
        var times = words[1..(Kinds + 1)].Select(word => double.Parse(word, CultureInfo.InvariantCulture)).ToArray();
        return (times[^1], times.Sum());
    }
}
