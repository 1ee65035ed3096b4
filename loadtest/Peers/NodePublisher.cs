using System.Diagnostics;
using System.Text.Json;
using Gateway.Loadtest.Scenarios.PubSub;

namespace Gateway.Loadtest.Peers;

/// <summary>A program of node-opcua and mqtt.js that subscribes to the tags of a gateway and publishes what changes, as
/// one would write it in an afternoon. Ended with this.</summary>
internal sealed class NodePublisher : IDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(120);

    private readonly Process _process;
    private readonly DirectoryInfo _folder;
    private string _lastLine = string.Empty;

    private NodePublisher(Process process, DirectoryInfo folder) => (_process, _folder) = (process, folder);

    public int ProcessId => _process.Id;

    public static string Version(string peerFolder)
    {
        var package = Path.Combine(peerFolder, "node_modules", "mqtt", "package.json");
        if (!File.Exists(package))
            throw new InvalidOperationException($"mqtt is not installed: run 'npm ci' in {peerFolder}");
        using var json = JsonDocument.Parse(File.ReadAllText(package));
        return $"mqtt.js {json.RootElement.GetProperty("version")}";
    }

    /// <summary>Returns when all items are there. Errors: InvalidOperationException with its last words.</summary>
    public static async Task<NodePublisher> StartAsync(
        string peerFolder, string url, int brokerPort, PubSubPart part, IReadOnlyList<string> nodes,
        CancellationToken cancellation)
    {
        var folder = Directory.CreateTempSubdirectory("loadtest-publisher");
        var start = new ProcessStartInfo("node")
        {
            WorkingDirectory = peerFolder,
            ArgumentList = { "publisher.js", Arguments(folder.FullName, url, brokerPort, part, nodes) },
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        var publisher = new NodePublisher(new Process { StartInfo = start, EnableRaisingEvents = true }, folder);
        try
        {
            await publisher.RunUntilReadyAsync(cancellation);
            return publisher;
        }
        catch
        {
            publisher.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
        _folder.Delete(recursive: true);
    }

    private static string Arguments(
        string folder, string url, int brokerPort, PubSubPart part, IReadOnlyList<string> nodes)
    {
        var file = Path.Combine(folder, "nodes.json");
        File.WriteAllText(file, JsonSerializer.Serialize(nodes));
        return JsonSerializer.Serialize(new
        {
            pki = Path.Combine(folder, "pki"),
            endpointUrl = url,
            policy = "None",
            mode = "None",
            broker = $"mqtt://127.0.0.1:{brokerPort}",
            topic = part.Filter.TrimEnd('#'),
            publisherId = PubSubPart.PublisherId,
            intervalMs = part.IntervalMs,
            fields = part.Fields,
            nodesFile = file,
        });
    }

    private async Task RunUntilReadyAsync(CancellationToken cancellation)
    {
        var ready = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _process.OutputDataReceived += (_, line) => OnLine(line.Data, ready);
        _process.ErrorDataReceived += (_, line) => OnLine(line.Data, ready);
        _process.Exited += (_, _) =>
            ready.TrySetException(new InvalidOperationException($"publisher.js ended: {_lastLine}"));
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        await ready.Task.WaitAsync(StartTimeout, cancellation);
    }

    private void OnLine(string? line, TaskCompletionSource ready)
    {
        if (string.IsNullOrEmpty(line))
            return;
        Volatile.Write(ref _lastLine, line);
        if (line.StartsWith("@{\"event\":\"ready\"", StringComparison.Ordinal))
            ready.TrySetResult();
    }
}
