using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Unicode;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Reports;

/// <summary>The report on the terminal, as JSON and as Markdown.</summary>
internal static class ReportWriter
{
    private static readonly JsonSerializerOptions Json = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Encoder = JavaScriptEncoder.Create(UnicodeRanges.All),
    };

    public static void Write(Report report, TextWriter output)
    {
        var folder = Directory.CreateDirectory(report.Options.OutputFolder).FullName;
        var name = string.Create(CultureInfo.InvariantCulture, $"{report.Scenario}-{report.At:yyyyMMdd-HHmmss}");
        var path = Path.Combine(folder, name);
        var markdown = Markdown(report);
        File.WriteAllText(path + ".md", markdown);
        File.WriteAllText(path + ".json", JsonSerializer.Serialize(Document(report), Json));
        output.WriteLine(markdown);
        output.WriteLine($"{Path.GetRelativePath(Environment.CurrentDirectory, path)}.md and .json");
    }

    public static string Markdown(Report report)
    {
        var text = new StringBuilder();
        text.AppendLine(CultureInfo.InvariantCulture, $"## {report.Scenario}, {report.At:yyyy-MM-dd HH:mm} UTC");
        text.AppendLine();
        if (report.Rows.Count > 0)
        {
            var table = new MarkdownTable(["What", .. report.Columns]);
            foreach (var row in report.Rows)
                table.Add([row.Name, .. report.Columns.Select(column => Format(row, column))]);
            table.WriteTo(text);
            text.AppendLine();
        }

        foreach (var more in report.Tables)
        {
            text.AppendLine(more.Title).AppendLine();
            var lines = new MarkdownTable(more.Columns);
            more.Rows.ForEach(lines.Add);
            lines.WriteTo(text);
            text.AppendLine();
        }

        foreach (var (key, value) in Facts(report))
            text.AppendLine(CultureInfo.InvariantCulture, $"- {key}: {value}");
        foreach (var note in report.Notes)
            text.AppendLine(CultureInfo.InvariantCulture, $"- note: {note}");
        foreach (var failure in report.Failures)
            text.AppendLine(CultureInfo.InvariantCulture, $"- **failed** {failure}");
        return text.ToString();
    }

    /// <summary>The JSON: NaN is null there.</summary>
    public static object Document(Report report) => new Dictionary<string, object?>
    {
        ["scenario"] = report.Scenario,
        ["at"] = report.At,
        ["passed"] = report.Failures.Count == 0,
        ["facts"] = Facts(report),
        ["options"] = report.Options,
        ["columns"] = report.Columns,
        ["rows"] = report.Rows.Select(row => new Dictionary<string, object>
        {
            ["name"] = row.Name,
            ["unit"] = row.Unit,
            ["values"] = row.Values.ToDictionary(
                pair => pair.Key, pair => double.IsFinite(pair.Value) ? (double?)pair.Value : null),
        }),
        ["tables"] = report.Tables,
        ["notes"] = report.Notes,
        ["failures"] = report.Failures,
    };

    public static string ToJson(Report report) => JsonSerializer.Serialize(Document(report), Json);

    private static Dictionary<string, string> Facts(Report report)
    {
        var facts = new Dictionary<string, string>
        {
            ["machine"] = MachineFacts.Machine,
            ["system"] = MachineFacts.System,
            ["runtime of the driver"] = MachineFacts.Runtime,
            ["OpenSSL"] = MachineFacts.OpenSsl,
            ["commit"] = MachineFacts.Commit,
            ["command"] = $"`{MachineFacts.Command}`",
            ["RSA-2048 signatures a second and core"] =
                report.SignaturesPerSecond.ToString("N0", CultureInfo.InvariantCulture),
            ["private-key floor of a session"] = string.Create(
                CultureInfo.InvariantCulture,
                $"{report.FloorMsPerSession:0.00} ms ({RsaFloor.OperationsPerSession} operations)"),
            ["processor time that the host took away"] = report.Stolen.ToString(),
        };
        foreach (var (key, value) in report.Facts)
            facts[key] = value;
        return facts;
    }

    private static string Format(ReportRow row, string column)
    {
        if (!row.Values.TryGetValue(column, out var value))
            return string.Empty;
        if (!double.IsFinite(value))
            return "n/a";
        var digits = Math.Abs(value) switch
        {
            >= 100 => "N0",
            var size when size == Math.Floor(size) => "0",
            >= 10 => "0.0",
            >= 0.1 => "0.00",
            _ => "0.0000",
        };
        return $"{value.ToString(digits, CultureInfo.InvariantCulture)} {row.Unit}".TrimEnd();
    }
}
