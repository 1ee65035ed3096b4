using System.Text.Json;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Tests.Reports;

public sealed class ReportWriterTests
{
    private readonly Report _report = new("read", new RunOptions { Password = "secret", User = "joe" })
    {
        SignaturesPerSecond = 4000,
    };

    [Fact]
    public void Markdown_Columns_HaveTheirValues()
    {
        _report.BeginColumn("500");
        _report.Add("rate", 435.4, "/s");
        _report.Add("memory", double.NaN, "KiB");
        _report.BeginColumn("1,000");
        _report.Add("rate", 9.25, "/s");

        var text = ReportWriter.Markdown(_report);

        Assert.Contains("| What   |    500 |   1,000 |", text, StringComparison.Ordinal);
        Assert.Contains("| rate   | 435 /s | 9.25 /s |", text, StringComparison.Ordinal);
        Assert.Contains("| memory |    n/a |         |", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Markdown_Any_NamesMachineVersionsCommitAndCommand()
    {
        var text = ReportWriter.Markdown(_report);

        foreach (var fact in new[] { "machine", "system", "runtime", "OpenSSL", "commit", "command", "RSA-2048" })
            Assert.Contains($"- {fact}", text, StringComparison.Ordinal);
        Assert.DoesNotContain(AppContext.BaseDirectory, text, StringComparison.Ordinal);
    }

    [Fact]
    public void ToJson_NotKnown_IsNullAndThePasswordIsNotThere()
    {
        _report.Add("memory", double.NaN, "KiB");

        var text = ReportWriter.ToJson(_report);

        using var document = JsonDocument.Parse(text);
        var row = document.RootElement.GetProperty("rows")[0];
        Assert.Equal(JsonValueKind.Null, row.GetProperty("values").GetProperty("value").ValueKind);
        Assert.True(document.RootElement.GetProperty("passed").GetBoolean());
        Assert.DoesNotContain("secret", text, StringComparison.Ordinal);
    }

    [Fact]
    public void AddFault_NotZero_Fails()
    {
        _report.AddFault("gaps", 0);
        Assert.Empty(_report.Failures);

        _report.AddFault("repeats", 2);

        Assert.Equal(["repeats: 2"], _report.Failures);
        Assert.Contains("**failed** repeats: 2", ReportWriter.Markdown(_report), StringComparison.Ordinal);
        Assert.Contains("\"passed\": false", ReportWriter.ToJson(_report), StringComparison.Ordinal);
    }
}
