using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using Gateway.Loadtest.Machine;
using Spectre.Console;

namespace Gateway.Loadtest.Reports;

/// <summary>The report on the terminal, as JSON and as Markdown.</summary>
internal static class ReportWriter
{
    private static readonly JsonSerializerOptions Json = new()
    {
        WriteIndented = true,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    public static void Write(Report report, string folder)
    {
        Directory.CreateDirectory(folder);
        var name = $"{report.Scenario}-{report.At:yyyyMMdd-HHmmss}";
        var markdown = Markdown(report);
        File.WriteAllText(Path.Combine(folder, name + ".md"), markdown);
        File.WriteAllText(Path.Combine(folder, name + ".json"), JsonSerializer.Serialize(Document(report), Json));
        var table = new Table().AddColumn(report.Scenario).AddColumn(new TableColumn("value").RightAligned());
        foreach (var row in report.Rows)
            table.AddRow(Markup.Escape(row.Name), Markup.Escape(Format(row)));
        AnsiConsole.Write(table);
        foreach (var more in report.Tables)
            Show(more);
        foreach (var failure in report.Failures)
            AnsiConsole.MarkupLineInterpolated($"[red]{failure}[/]");
        AnsiConsole.MarkupLineInterpolated($"{Path.Combine(folder, name)}.md and .json");
    }

    private static void Show(ReportTable table)
    {
        var shown = new Table().Title(Markup.Escape(table.Title));
        foreach (var column in table.Columns)
            shown.AddColumn(Markup.Escape(column));
        foreach (var row in table.Rows)
            shown.AddRow(Array.ConvertAll(row, Markup.Escape));
        AnsiConsole.Write(shown);
    }

    private static string Markdown(Report report)
    {
        var text = new StringBuilder();
        text.AppendLine(CultureInfo.InvariantCulture, $"## {report.Scenario}, {report.At:yyyy-MM-dd HH:mm} UTC");
        text.AppendLine();
        text.AppendLine("| What | Value |").AppendLine("| --- | ---: |");
        foreach (var row in report.Rows)
            text.AppendLine(CultureInfo.InvariantCulture, $"| {row.Name} | {Format(row)} |");
        text.AppendLine();
        foreach (var table in report.Tables)
            text.AppendLine(table.Title).AppendLine().AppendJoin('\n', table.Lines()).AppendLine().AppendLine();
        foreach (var (key, value) in Facts(report))
            text.AppendLine(CultureInfo.InvariantCulture, $"- {key}: {value}");
        foreach (var failure in report.Failures)
            text.AppendLine(CultureInfo.InvariantCulture, $"- **failed** {failure}");
        return text.ToString();
    }

    private static Dictionary<string, object> Document(Report report) => new()
    {
        ["scenario"] = report.Scenario,
        ["at"] = report.At,
        ["facts"] = Facts(report),
        ["options"] = report.Options,
        ["rows"] = report.Rows,
        ["tables"] = report.Tables,
        ["failures"] = report.Failures,
    };

    private static Dictionary<string, string> Facts(Report report) => new()
    {
        ["machine"] = $"{MachineFacts.Cores} × {MachineFacts.Processor}, {MachineFacts.Memory}",
        ["system"] = MachineFacts.System,
        ["runtime"] = $"{MachineFacts.Runtime}, {MachineFacts.OpenSsl}",
        ["commit"] = MachineFacts.Commit,
        ["command"] = Environment.CommandLine,
        ["RSA-2048 signatures a second and core"] =
            report.SignaturesPerSecond.ToString("N0", CultureInfo.InvariantCulture),
        ["private-key floor of a session"] = string.Create(
            CultureInfo.InvariantCulture,
            $"{report.FloorMsPerSession:0.00} ms ({RsaFloor.OperationsPerSession} operations)"),
    };

    private static string Format(ReportRow row)
    {
        if (double.IsNaN(row.Value))
            return "–";
        var digits = Math.Abs(row.Value) switch
        {
            >= 100 => "N0",
            var value when value == Math.Floor(value) => "0",
            >= 10 => "0.0",
            _ => "0.00",
        };
        return $"{row.Value.ToString(digits, CultureInfo.InvariantCulture)} {row.Unit}".TrimEnd();
    }
}
