using System.Diagnostics;
using System.Text.RegularExpressions;
using Gateway.Codec.Types;

namespace Gateway.Tests.Rest;

/// <summary>Each command of the pages about HTTP, pasted into a shell, prints what stands below it.</summary>
[Collection(RestFixture.Name)]
public sealed partial class RestPageTests(RestFixture fixture)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    [Theory]
    [InlineData("rest.md", 8)]
    [InlineData("opcua-http.md", 4)]
    [InlineData("rest-operators.md", 7)]
    public async Task Commands_Pasted_PrintWhatThePageShows(string page, int least)
    {
        _gateway.Set("Double[,]", Variant.FromMatrix(
            BuiltInType.Double, new Matrix(new double[] { 1, 2, 3, 4, 5, 6 }, [2, 3])));
        var examples = Example().Matches(await File.ReadAllTextAsync(PathOf(page)));
        Assert.True(examples.Count >= least);
        foreach (Match example in examples)
        {
            var command = example.Groups["command"].Value.Replace(
                "localhost:8080", _gateway.Host.Client.BaseAddress!.Authority, StringComparison.Ordinal);
            var printed = Plain(await RunAsync(command));
            Assert.Equal(Plain(example.Groups["answer"].Value), printed);
        }
    }

    /// <summary>What differs from run to run is an ellipsis on the page.</summary>
    private static string Plain(string text) => Changing().Replace(
        text.Replace("\r\n", "\n", StringComparison.Ordinal).Trim('\n', '\uFEFF'), "\"$1\":\"…\"");

    private static async Task<string> RunAsync(string command)
    {
        var start = new ProcessStartInfo("/bin/sh") { RedirectStandardOutput = true };
        start.ArgumentList.Add("-c");
        start.ArgumentList.Add(command);
        using var process = Process.Start(start)!;
        var printed = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.Equal(0, process.ExitCode);
        return printed;
    }

    private static string PathOf(string page)
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Gateway.sln")))
            folder = folder.Parent!;
        return Path.Combine(folder.FullName, "docs", page);
    }

    [GeneratedRegex("```sh\n(?<command>[^`]*)```\n\n```(json|csv|text)\n(?<answer>[^`]*)```")]
    private static partial Regex Example();

    [GeneratedRegex("\"(sourceTimestamp|serverTimestamp|next|Timestamp|SourceTimestamp)\":\"[^\"]*\"")]
    private static partial Regex Changing();
}
