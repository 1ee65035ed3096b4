using System.Diagnostics;
using System.Reflection;
using System.Text.RegularExpressions;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop.WebSockets;

/// <summary>The commands of docs/websockets.md print what the page shows: node's own WebSocket is the client.</summary>
public sealed partial class WebSocketPageTests
{
    [PeerFact]
    public async Task Commands_Pasted_PrintWhatThePageShows()
    {
        PeerRequirement.Demand();
        using TemporaryFolder folder = new();
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(
            folder, "--Users:0:Name=operator", "--Users:0:Password=horse", "--Users:0:Roles:0=Operator");
        MatchCollection examples = Example().Matches(await File.ReadAllTextAsync(PagePath()));

        Assert.True(examples.Count >= 2);
        foreach (Match example in examples)
        {
            string command = example.Groups["command"].Value.Replace(
                "localhost:8080", $"127.0.0.1:{gateway.HttpPort}", StringComparison.Ordinal);
            Assert.Equal(Plain(example.Groups["answer"].Value), Plain(await RunAsync(folder, command)));
        }
    }

    private static async Task<string> RunAsync(TemporaryFolder folder, string command)
    {
        List<string> lines = [];
        await using ChildProcess process = new(
            new ProcessStartInfo("/bin/sh", ["-c", command]) { WorkingDirectory = folder.Path }, lines.Add);
        Assert.Equal(0, await process.Exit.WaitAsync(Patience.Limit));
        return string.Join('\n', lines);
    }

    /// <summary>What differs from run to run is an ellipsis on the page.</summary>
    private static string Plain(string text) => Changing().Replace(text.Trim('\n'), "\"$1\":\"…\"");

    private static string PagePath()
    {
        string peers = typeof(WebSocketPageTests).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(one => one.Key == "PeersFolder").Value!;
        return Path.Combine(peers, "..", "..", "..", "docs", "websockets.md");
    }

    [GeneratedRegex("```sh\n(?<command>.*?)```\n\n```json\n(?<answer>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Example();

    [GeneratedRegex("\"(sourceTimestamp|serverTimestamp|SourceTimestamp|Timestamp)\":\"[^\"]*\"")]
    private static partial Regex Changing();
}
