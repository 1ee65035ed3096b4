using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using Gateway.Admission;
using Gateway.Host.Configuration;
using Gateway.Host.Tokens;
using Gateway.Publish;
using Gateway.PubSub;
using Gateway.Rest;
using Gateway.Server;
using Gateway.Sources.OpcUa;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;

namespace Gateway.Tests.Configuration;

/// <summary>Every limit is finite by default and stands in docs/sizing.md with that default; what the page names
/// besides is there too.</summary>
public sealed partial class LimitInventoryTests
{
    /// <summary>0 by default, and what that means.</summary>
    private static readonly Dictionary<string, string> Derived = new()
    {
        ["PublishShards"] = "one a core",
        ["MaxRetransmissionMessages"] = "twice MaxPublishRequestsPerSession",
    };

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private static readonly string Page = File.ReadAllText(Path.Combine(Root(), "docs", "sizing.md"));

    public static TheoryData<string, string, string> Limits
    {
        get
        {
            var data = new TheoryData<string, string, string>();
            foreach (var limits in new object[]
            {
                new TransportLimits(), new HttpLimits(), new RestLimits(), new ServerLimits(), new PublishLimits(),
                new AdmissionLimits(), new LogLimits(), new UpstreamLimits(), new TokenLimits(), new PubSubLimits(),
                new OtlpLimits(),
            })
            {
                foreach (var property in limits.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
                {
                    if (property.SetMethod is not null)
                        data.Add(limits.GetType().Name, property.Name, Text(property, property.GetValue(limits)!));
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Limits))]
    public void Limit_ByDefault_FiniteAndInSizingMd(string owner, string name, string text)
    {
        var rows = Rows().Where(row => row.Name == name).ToList();

        Assert.True(rows.Count == 1, $"{owner}.{name} ({text}) stands {rows.Count} times in docs/sizing.md");
        Assert.Equal(text, rows[0].Default);
        Assert.True(text != "0" || Derived.ContainsKey(name), $"{owner}.{name} is 0: without a limit?");
    }

    [Fact]
    public void Limits_All_AreUsed()
    {
        var sources = string.Concat(Directory
            .EnumerateFiles(Path.Combine(Root(), "src"), "*.cs", SearchOption.AllDirectories)
            .Select(File.ReadAllText));

        Assert.All(Limits, row => Assert.Contains("." + row[1], sources, StringComparison.Ordinal));
    }

    [Fact]
    public void SizingMd_EveryRow_IsALimit()
    {
        var names = Limits.Select(row => (string)row[1]).ToHashSet();

        Assert.NotEmpty(Rows());
        Assert.All(Rows(), row => Assert.Contains(row.Name, names));
    }

    [Fact]
    public void SizingMd_EveryCounter_IsAnInstrument()
    {
        var sources = string.Concat(Directory
            .EnumerateFiles(Path.Combine(Root(), "src"), "*.cs", SearchOption.AllDirectories)
            .Where(file => Path.GetFileNameWithoutExtension(file) is var name &&
                (name.EndsWith("Counters", StringComparison.Ordinal) ||
                    name.EndsWith("Instruments", StringComparison.Ordinal) ||
                    name.EndsWith("Metrics", StringComparison.Ordinal)))
            .Select(File.ReadAllText));
        var named = Counter().Matches(Page).Select(match => match.Value).Distinct().ToList();

        Assert.NotEmpty(named);
        Assert.All(named, name => Assert.Contains($"\"{name}\"", sources, StringComparison.Ordinal));
    }

    [Fact]
    public void SizingMd_EveryCloseReason_Exists()
    {
        var reasons = Enum.GetNames<ChannelCloseReason>();

        Assert.All(Close().Matches(Page), match => Assert.Contains(
            match.Groups[1].Value.Replace("_", "", StringComparison.Ordinal), reasons,
            StringComparer.OrdinalIgnoreCase));
    }

    /// <summary>docs/limit-tests.md names a test for each limit, and says how many have none.</summary>
    [Fact]
    public void LimitTestsMd_EveryLimit_NamesATestThatIsThere()
    {
        var page = File.ReadAllText(Path.Combine(Root(), "docs", "limit-tests.md"));
        var rows = CellsOf(page).Select(cells => (Limit: cells[1].Trim('`'), Test: cells[2], How: cells[3])).ToList();
        var tests = Directory.EnumerateFiles(Path.Combine(Root(), "tests"), "*Tests.cs", SearchOption.AllDirectories)
            .ToLookup(file => Path.GetFileNameWithoutExtension(file), File.ReadAllText);

        Assert.Equal(Limits.Select(row => (string)row[1]).Order(), rows.Select(row => row.Limit).Order());
        var moved = rows.Where(row => row.Test != "none").ToList();
        Assert.All(moved, row => Assert.Contains(row.How, new[] { "set", "at its default", "as a number" }));
        Assert.All(moved, row => Assert.True(
            tests[row.Test].Any(text =>
                row.How != "set" || Regex.IsMatch(text, $@"\b{row.Limit}\b", RegexOptions.None, Patience)),
            $"{row.Limit}: {row.Test} is not there, or does not name it"));
        Assert.Contains(
            string.Create(
                CultureInfo.InvariantCulture,
                $"\n{moved.Count} of {rows.Count} limits are named by a test that should move them."),
            page, StringComparison.Ordinal);
    }

    private static IEnumerable<(string Name, string Default)> Rows() =>
        CellsOf(Page).Select(cells => (cells[1].Trim('`'), cells[2]));

    private static IEnumerable<string[]> CellsOf(string page) =>
        from line in page.Split('\n')
        let cells = line.Split('|', StringSplitOptions.TrimEntries)
        where cells.Length > 3 && cells[1].StartsWith('`')
        select cells;

    private static string Text(PropertyInfo property, object value) => value switch
    {
        TimeSpan time => Time(time),
        _ when property.Name is nameof(TransportLimits.PrivateKeyWorkers) or "RequestWorkers" => "one a core",
        _ => Number(Convert.ToDouble(value, CultureInfo.InvariantCulture), property.Name),
    };

    private static string Time(TimeSpan time) =>
        time.Ticks % TimeSpan.TicksPerHour == 0 ? Plain(time.TotalHours) + " h"
        : time.Ticks % TimeSpan.TicksPerMinute == 0 ? Plain(time.TotalMinutes) + " min"
        : time.Ticks % TimeSpan.TicksPerSecond == 0 ? Plain(time.TotalSeconds) + " s"
        : Plain(time.TotalMilliseconds) + " ms";

    private static string Number(double value, string name) =>
        !name.Contains("Bytes", StringComparison.Ordinal) || value < 8192 ? Plain(value)
        : value % (1 << 20) == 0 ? Plain(value / (1 << 20)) + " MiB"
        : Plain(value / 1024) + " KiB";

    private static string Plain(double value) => value.ToString("N0", CultureInfo.InvariantCulture);

    private static string Root()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Gateway.sln")))
            folder = Path.GetDirectoryName(folder)!;
        return folder;
    }

    [GeneratedRegex("gateway_[a-z_]+")]
    private static partial Regex Counter();

    [GeneratedRegex("close ([a-z_]{2,})`")]
    private static partial Regex Close();
}
