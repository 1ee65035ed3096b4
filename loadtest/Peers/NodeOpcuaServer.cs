using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Scenarios;

namespace Gateway.Loadtest.Peers;

/// <summary>node-opcua's server with the same plant as the gateway's, its own caps lifted to the run's needs. Ended
/// with this.</summary>
internal sealed class NodeOpcuaServer : IDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(120);

    private readonly Process _process;
    private readonly DirectoryInfo _pki;
    private readonly Queue<string> _lastLines = new();

    private NodeOpcuaServer(Process process, DirectoryInfo pki, int port, int httpPort)
    {
        _process = process;
        _pki = pki;
        Url = $"opc.tcp://127.0.0.1:{port}";
        HttpUrl = httpPort > 0 ? $"http://127.0.0.1:{httpPort}" : null;
    }

    public string Url { get; }

    /// <summary>Its values as JSON; null: not asked for.</summary>
    public string? HttpUrl { get; }

    public int ProcessId => _process.Id;

    /// <summary>Of the server and of its runtime.</summary>
    public static string Version(string peerFolder)
    {
        var package = Path.Combine(peerFolder, "node_modules", "node-opcua", "package.json");
        using var json = JsonDocument.Parse(File.ReadAllText(package));
        using var node = Process.Start(new ProcessStartInfo("node", "--version") { RedirectStandardOutput = true })!;
        return $"node-opcua {json.RootElement.GetProperty("version")} on Node {node.StandardOutput.ReadToEnd().Trim()}";
    }

    /// <summary>Returns when it serves. Errors: InvalidOperationException with its last words.</summary>
    public static async Task<NodeOpcuaServer> StartAsync(
        string peerFolder, Plant plant, int maxSessions, CancellationToken cancellation, bool withHttp = false,
        int eventsPerSecond = 0)
    {
        var pki = Directory.CreateTempSubdirectory("loadtest-peer");
        var port = FreePort.Next();
        var httpPort = withHttp ? FreePort.Next() : 0;
        var start = new ProcessStartInfo("node")
        {
            WorkingDirectory = peerFolder,
            ArgumentList =
            {
                "server.js", Arguments(pki.FullName, port, plant, maxSessions, httpPort, eventsPerSecond),
            },
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        var server = new NodeOpcuaServer(new Process { StartInfo = start }, pki, port, httpPort);
        try
        {
            await server.RunUntilReadyAsync(cancellation);
            return server;
        }
        catch
        {
            server.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
        _pki.Delete(recursive: true);
    }

    /// <summary>All tags change at once, as often as the plant's rate says.</summary>
    internal static string Arguments(
        string pki, int port, Plant plant, int maxSessions, int httpPort = 0, int eventsPerSecond = 0) =>
        JsonSerializer.Serialize(new Dictionary<string, object>
        {
            ["port"] = port,
            ["httpPort"] = httpPort,
            ["eventsPerSecond"] = eventsPerSecond,
            ["pki"] = pki,
            ["namespaceUri"] = "urn:gateway:simulator",
            ["start"] = 1,
            ["tags"] = plant.Tags,
            ["changeMs"] = Math.Max(1, (int)(1000L * plant.Tags / Math.Max(1, plant.ChangesPerSecond))),
            ["writable"] = new Dictionary<string, object>
            {
                ["uri"] = WriteTags.NamespaceUri,
                ["count"] = plant.WritableTags,
            },
            ["maxConnections"] = maxSessions + 100,
            ["capabilities"] = new Dictionary<string, int>
            {
                ["maxSessions"] = maxSessions + 10,
                ["maxSubscriptions"] = 10 * maxSessions,
                ["maxSubscriptionsPerSession"] = 100,
                ["maxMonitoredItems"] = 5_000_000,
                ["maxMonitoredItemsPerSubscription"] = 100_000,
                ["minSupportedSampleRate"] = 0,
            },
        });

    private async Task RunUntilReadyAsync(CancellationToken cancellation)
    {
        var ready = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _process.OutputDataReceived += (_, line) => OnLine(line.Data, ready);
        _process.ErrorDataReceived += (_, line) => OnLine(line.Data, ready);
        _process.EnableRaisingEvents = true;
        _process.Exited += (_, _) => ready.TrySetException(new InvalidOperationException(
            string.Create(CultureInfo.InvariantCulture, $"node-opcua ended with {_process.ExitCode}: {LastWords()}")));
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        await ready.Task.WaitAsync(StartTimeout, cancellation);
    }

    private void OnLine(string? line, TaskCompletionSource ready)
    {
        if (string.IsNullOrEmpty(line))
            return;
        lock (_lastLines)
        {
            _lastLines.Enqueue(line);
            if (_lastLines.Count > 5)
                _lastLines.Dequeue();
        }

        if (line.StartsWith("@{\"event\":\"ready\"", StringComparison.Ordinal))
            ready.TrySetResult();
    }

    private string LastWords()
    {
        lock (_lastLines)
            return string.Join(" / ", _lastLines);
    }
}
