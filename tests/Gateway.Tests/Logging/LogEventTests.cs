using System.Globalization;
using System.Text.RegularExpressions;
using Gateway.Server.Audit;

namespace Gateway.Tests.Logging;

/// <summary>Each log line has a number of its own that docs/log-events.md explains.</summary>
public sealed partial class LogEventTests
{
    private const int FirstAuditEvent = 3100;
    private const int MostOfAnEvent = 9_999;

    private static readonly string Page = File.ReadAllText(Path.Combine(Root(), "docs", "log-events.md"));

    private static readonly List<Declared> Events = [.. Directory
        .GetFiles(Path.Combine(Root(), "src"), "*.cs", SearchOption.AllDirectories)
        .Where(static file => !file.Contains("/obj/", StringComparison.Ordinal))
        .SelectMany(static file => Attribute().Matches(File.ReadAllText(file))
            .Select(match => Of(Path.GetFileName(file), match.Groups[1].Value)))];

    [Fact]
    public void Events_OfTheCode_HaveSmallNumbersOfTheirOwn()
    {
        Assert.True(Events.Count > 100, $"{Events.Count} found");
        Assert.All(Events, static one => Assert.True(
            one.Id is > 0 and <= MostOfAnEvent, $"{one.File}: \"{one.Message}\" has no small EventId"));
        Assert.All(
            Events.GroupBy(static one => one.Id),
            static group => Assert.True(group.Count() == 1, $"{group.Key} is several events: {group.First().File}"));
    }

    [Fact]
    public void Events_OfTheCode_StandInThePageWithWhatToDo()
    {
        Assert.All(Events, static one => Assert.True(
            Regex.IsMatch(Page, $@"^{Regex.Escape($"| {one.Id} | {one.Level} | {one.Message} | ")}\S.* \|$",
                RegexOptions.Multiline),
            $"docs/log-events.md lacks the row | {one.Id} | {one.Level} | {one.Message} | what to do |"));
        Assert.All(Enum.GetValues<AuditEvent>(), static kind => Assert.Contains(
            $"\n| {FirstAuditEvent + (int)kind} | `{kind}` |\n", Page, StringComparison.Ordinal));
    }

    /// <summary>Texts of the framework and of peers mostly end with a full stop.</summary>
    [Fact]
    public void Events_WithAReasonFromElsewhere_HaveNoFullStopBehindIt() => Assert.All(Events, static one =>
        Assert.DoesNotMatch(@"\{(Reason|Why)\}\.", one.Message));

    [Fact]
    public void Rows_OfThePage_AreEventsOfTheCode()
    {
        string[] elsewhere = ["1002", "1003"];
        var known = Events.Select(static one => one.Id.ToString(CultureInfo.InvariantCulture))
            .Concat(Enum.GetValues<AuditEvent>().Select(
                static kind => (FirstAuditEvent + (int)kind).ToString(CultureInfo.InvariantCulture)))
            .Concat(elsewhere).ToHashSet();

        Assert.All(Row().Matches(Page), row => Assert.Contains(row.Groups[1].Value, known));
    }

    private static Declared Of(string file, string attribute)
    {
        var id = Number().Match(attribute);
        return new Declared(
            file, id.Success ? int.Parse(id.Groups[1].Value, CultureInfo.InvariantCulture) : 0,
            Level().Match(attribute).Groups[1].Value,
            string.Concat(Text().Matches(attribute).Select(static text => text.Groups[1].Value)));
    }

    private static string Root()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Gateway.sln")))
            folder = Path.GetDirectoryName(folder)!;
        return folder;
    }

    [GeneratedRegex(@"\[LoggerMessage\((.*?)\)\]\s*\n", RegexOptions.Singleline)]
    private static partial Regex Attribute();

    [GeneratedRegex(@"(?:EventId = |^\s*)(\d+)")]
    private static partial Regex Number();

    [GeneratedRegex(@"LogLevel\.(\w+)")]
    private static partial Regex Level();

    [GeneratedRegex("\"((?:[^\"\\\\]|\\\\.)*)\"")]
    private static partial Regex Text();

    [GeneratedRegex(@"^\| (\d{4}) \|", RegexOptions.Multiline)]
    private static partial Regex Row();

    private sealed record Declared(string File, int Id, string Level, string Message);
}
