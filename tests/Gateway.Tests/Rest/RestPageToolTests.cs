using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;
using Xunit.Abstractions;

namespace Gateway.Tests.Rest;

/// <summary>The examples of the page about HTTP in other languages and tools: each prints, or brings, what the page
/// says.</summary>
[Collection(RestFixture.Name)]
public sealed class RestPageToolTests(RestFixture fixture, ITestOutputHelper output)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    [Theory]
    [InlineData("python", "python3", "-")]
    [InlineData("powershell", "pwsh", "-NoProfile -NonInteractive -Command -")]
    [InlineData("js", "node", "--input-type=module -")]
    public async Task Script_Pasted_PrintsWhatThePageShows(string language, string program, string arguments)
    {
        var examples = Regex.Matches(await PageAsync(), $"```{language}\n([^`]*)```\n\n```text\n([^`]*)```");
        Assert.NotEmpty(examples);
        if (!IsInstalled(program))
        {
            output.WriteLine($"not run: {program} is not installed");
            return;
        }

        foreach (Match example in examples)
        {
            var script = example.Groups[1].Value.Replace(
                "localhost:8080", _gateway.Host.Client.BaseAddress!.Authority, StringComparison.Ordinal);
            Assert.Equal(example.Groups[2].Value, await RunAsync(program, arguments, script));
        }
    }

    /// <summary>What the flow's nodes say is sent here, without Node-RED: where the trigger's payload goes, by which
    /// method, and which part of the answer is shown.</summary>
    [Fact]
    public async Task NodeRed_Flow_IsWiredAndItsRequestIsAnswered()
    {
        var block = Regex.Match(await PageAsync(), "```json node-red\n([^`]*)```").Groups[1].Value;
        using var flow = JsonDocument.Parse(block);
        var nodes = flow.RootElement.EnumerateArray().ToDictionary(node => node.GetProperty("id").GetString()!);
        var trigger = nodes.Values.Single(node => node.GetProperty("type").GetString() == "inject");
        var request = NextOf(trigger, nodes);
        var change = NextOf(request, nodes);

        var (status, answer) = await RestGateway.SendAsync(
            _gateway.Operator, new HttpMethod(request.GetProperty("method").GetString()!),
            new Uri(request.GetProperty("url").GetString()!).PathAndQuery, trigger.GetProperty("payload").GetString()!);

        Assert.Equal(200, status);
        Assert.Equal("http request", request.GetProperty("type").GetString());
        Assert.Equal("obj", request.GetProperty("ret").GetString());
        Assert.Equal("payload.values[0].value", change.GetProperty("rules")[0].GetProperty("to").GetString());
        Assert.Equal(42, answer.GetProperty("values")[0].GetProperty("value").GetInt32());
        Assert.Equal("debug", NextOf(change, nodes).GetProperty("type").GetString());
    }

    /// <summary>The flow itself, where Node-RED is installed (<c>npm install -g node-red</c>): imported with the login
    /// that the page asks for, without an editor. Only where the gateway listens and where the value is shown are the
    /// test's.</summary>
    [Fact]
    public async Task NodeRed_FlowImported_ShowsTheValue()
    {
        if (!IsInstalled("node-red"))
        {
            output.WriteLine("not run: node-red is not installed");
            return;
        }

        var block = Regex.Match(await PageAsync(), "```json node-red\n([^`]*)```").Groups[1].Value;
        var flow = block
            .Replace("localhost:8080", _gateway.Host.Client.BaseAddress!.Authority, StringComparison.Ordinal)
            .Replace("\"active\":true", "\"active\":true,\"console\":\"true\"", StringComparison.Ordinal);

        Assert.Contains("[debug:show] 42", await NodeRed.RunUntilItShowsAsync(flow, "gw-read", "operator", "horse"));
    }

    [Fact]
    public async Task Grafana_Settings_BringATableOfTheColumns()
    {
        var page = await PageAsync();
        var url = new Uri(Regex.Match(page, @"\| URL \| `([^`]+)` \|").Groups[1].Value);
        var root = Regex.Match(page, @"\| Rows/Root \| `([^`]+)` \|").Groups[1].Value;
        var columns = Regex.Matches(Regex.Match(page, @"\| Columns \| (.+) \|").Groups[1].Value, @"`(\w+)` \((\w+)\)");

        var (status, answer) = await RestGateway.GetAsync(_gateway.Observer, url.PathAndQuery);

        Assert.Equal(200, status);
        Assert.Equal(3, columns.Count);
        Assert.All(answer.GetProperty(root).EnumerateArray(), row => Assert.All(
            columns, column => Assert.True(IsOf(row.GetProperty(column.Groups[1].Value), column.Groups[2].Value))));
        Assert.Equal(2, answer.GetProperty(root).GetArrayLength());
    }

    private static bool IsOf(JsonElement cell, string type) => type switch
    {
        "Number" => cell.ValueKind == JsonValueKind.Number,
        "Time" => cell.TryGetDateTime(out _),
        _ => cell.ValueKind == JsonValueKind.String,
    };

    private static JsonElement NextOf(JsonElement node, Dictionary<string, JsonElement> nodes) =>
        nodes[node.GetProperty("wires")[0][0].GetString()!];

    private static bool IsInstalled(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
            .Any(folder => File.Exists(Path.Combine(folder, program)));

    private static async Task<string> RunAsync(string program, string arguments, string script)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        await process.StandardInput.WriteAsync(script);
        process.StandardInput.Close();
        var printed = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, await errors);
        return printed.Replace("\r\n", "\n", StringComparison.Ordinal);
    }

    private static async Task<string> PageAsync()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Gateway.sln")))
            folder = folder.Parent!;
        return await File.ReadAllTextAsync(Path.Combine(folder.FullName, "docs", "rest.md"));
    }
}
