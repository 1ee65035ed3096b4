using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.OperatorConsole;

/// <summary>The findings of the console's own tools: types, lint, unit tests; and how much a browser loads.</summary>
public sealed class ConsoleSourceTests
{
    [PeerTheory(PeerProgram.Console)]
    [InlineData("check")]
    [InlineData("lint")]
    [InlineData("test")]
    public async Task Script_OfThePackage_EndsWithoutAFinding(string script)
    {
        (int exitCode, string output) = await ConsoleSource.RunAsync(script);

        Assert.True(exitCode == 0, output);
    }

    /// <summary>The document, its scripts and styles and those of the first page, compressed. The build fails above it,
    /// too.</summary>
    [PeerFact(PeerProgram.Console)]
    public async Task FirstLoad_Compressed_AtMost150Kilobytes()
    {
        string text = await File.ReadAllTextAsync(Path.Combine(ConsoleSource.Path, "dist", "first-load.json"));

        int bytes = JsonDocument.Parse(text).RootElement.GetProperty("bytes").GetInt32();

        Assert.InRange(bytes, 1, 150 * 1024);
    }

    /// <summary>No text of the page becomes markup, and nothing is kept in the browser but the theme.</summary>
    [Theory]
    [InlineData("dangerouslySetInnerHTML")]
    [InlineData("innerHTML")]
    [InlineData("sessionStorage")]
    [InlineData("document.cookie")]
    [InlineData("eval(")]
    public void Source_Nowhere_Holds(string word) => Assert.DoesNotContain(
        Directory.EnumerateFiles(Path.Combine(ConsoleSource.Path, "src"), "*.ts*", SearchOption.AllDirectories)
            .Where(static path => !path.Contains(".test.", StringComparison.Ordinal)),
        path => File.ReadAllText(path).Contains(word, StringComparison.Ordinal));
}
