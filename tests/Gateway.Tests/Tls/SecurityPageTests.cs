using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Gateway.Tests.Http;

namespace Gateway.Tests.Tls;

/// <summary>The commands of docs/http-security.md, pasted into a shell one after the other, with the gateway that the
/// page starts.</summary>
public sealed partial class SecurityPageTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("page-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Commands_Pasted_PrintWhatThePageShows()
    {
        var page = await File.ReadAllTextAsync(PathOf("http-security.md"));
        var commands = Command().Matches(page);
        Assert.Empty(await RunAsync(commands[0].Groups["command"].Value));
        // The demo of the tests' gateway gives no rights over this door to a request with a login of its own.
        await using var gateway = await RunningGateway.StartAsync(OptionsOf(page));

        foreach (Match command in commands.Skip(1))
        {
            var text = command.Groups["command"].Value.Replace(
                "localhost:8443", string.Create(
                    CultureInfo.InvariantCulture, $"localhost:{gateway.Client.BaseAddress!.Port}"),
                StringComparison.Ordinal);

            Assert.Equal(command.Groups["answer"].Value.Trim(), (await RunAsync(text)).Trim());
        }

        Assert.True(commands.Count >= 4);
    }

    /// <summary>Those of the page's start, with this test's port and the full paths of its files.</summary>
    private string[] OptionsOf(string page) =>
    [
        .. Start().Match(page).Groups["options"].Value.Split(' ')
            .Where(static option => !option.StartsWith("--Http:Port=", StringComparison.Ordinal))
            .Select(option => FileName().Replace(option, match => "=" + Path.Combine(_folder, match.Groups[1].Value))),
    ];

    private async Task<string> RunAsync(string command)
    {
        var start = new ProcessStartInfo("/bin/sh") { RedirectStandardOutput = true, WorkingDirectory = _folder };
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

    [GeneratedRegex("```sh\n(?<command>[^`]*)```\n(\n```(json|text)\n(?<answer>[^`]*)```)?")]
    private static partial Regex Command();

    [GeneratedRegex(@"--project src/Gateway -- (?<options>--Http:Port[^\n]*)")]
    private static partial Regex Start();

    [GeneratedRegex(@"=([a-z]+\.(?:crt|key|pem))$")]
    private static partial Regex FileName();
}
