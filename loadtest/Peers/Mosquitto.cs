using System.Diagnostics;
using System.Globalization;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Peers;

/// <summary>A mosquitto of the run's own, on a free loopback port, in a folder that is removed with it. It keeps the
/// sessions of its clients, so that a restarted one queues for a subscriber that is not back yet.</summary>
internal sealed class Mosquitto : IAsyncDisposable
{
    private const string Ready = " running";

    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);

    private readonly DirectoryInfo _folder;
    private Process? _process;

    private Mosquitto(DirectoryInfo folder, int port) => (_folder, Port) = (folder, port);

    public int Port { get; }

    public int ProcessId => _process!.Id;

    /// <summary>Debian puts it where only root looks; null: it is not installed.</summary>
    public static string? Program { get; } = Environment.GetEnvironmentVariable("PATH")!.Split(':')
        .Append("/usr/sbin").Append("/usr/local/sbin")
        .Select(static folder => Path.Combine(folder, "mosquitto")).FirstOrDefault(File.Exists);

    /// <summary>Returns when it listens. Errors: InvalidOperationException where it is missing or ends.</summary>
    public static async Task<Mosquitto> StartAsync(CancellationToken cancellation)
    {
        var broker = new Mosquitto(Directory.CreateTempSubdirectory("loadtest-broker"), FreePort.Next());
        try
        {
            await File.WriteAllLinesAsync(broker.ConfigurationFile, broker.Configuration(), cancellation);
            await broker.RunAsync(cancellation);
            return broker;
        }
        catch
        {
            await broker.DisposeAsync();
            throw;
        }
    }

    /// <summary>Writes the sessions that it knows to its file; a SIGKILL does not.</summary>
    public async Task SaveAsync(CancellationToken cancellation)
    {
        var before = SavedAt();
        using var signal = Process.Start("kill", ["-USR1", ProcessId.ToString(CultureInfo.InvariantCulture)]);
        await signal.WaitForExitAsync(cancellation);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        patience.CancelAfter(StartTimeout);
        while (SavedAt() == before)
            await Task.Delay(20, patience.Token);
    }

    /// <summary>By SIGKILL.</summary>
    public async Task KillAsync()
    {
        if (_process is null)
            return;
        if (!_process.HasExited)
            _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
        _process = null;
    }

    /// <summary>On the port that it had.</summary>
    public async Task RunAsync(CancellationToken cancellation)
    {
        var ready = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var lastLine = string.Empty;
        var process = _process = new Process
        {
            StartInfo = new ProcessStartInfo(Program ?? throw Missing(), ["-c", ConfigurationFile])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            },
            EnableRaisingEvents = true,
        };
        process.ErrorDataReceived += (_, line) =>
        {
            lastLine = line.Data ?? lastLine;
            if (line.Data?.EndsWith(Ready, StringComparison.Ordinal) == true)
                ready.TrySetResult();
        };
        process.Exited += (_, _) =>
            ready.TrySetException(new InvalidOperationException($"mosquitto ended: {lastLine}"));
        process.Start();
        process.BeginErrorReadLine();
        process.BeginOutputReadLine();
        await ready.Task.WaitAsync(StartTimeout, cancellation);
    }

    public async ValueTask DisposeAsync()
    {
        await KillAsync();
        _folder.Delete(recursive: true);
    }

    private string ConfigurationFile => Path.Combine(_folder.FullName, "mosquitto.conf");

    private static InvalidOperationException Missing() =>
        new("mosquitto is not installed: apt-get install mosquitto");

    private DateTime SavedAt() => File.GetLastWriteTimeUtc(Path.Combine(_folder.FullName, "mosquitto.db"));

    /// <summary>It drops nothing by itself: what is missing is the publisher's.</summary>
    private string[] Configuration() =>
    [
        string.Create(CultureInfo.InvariantCulture, $"listener {Port} 127.0.0.1"),
        "allow_anonymous true",
        "persistence true",
        $"persistence_location {_folder.FullName}/",
        "max_queued_messages 0",
        "max_inflight_messages 0",
        "queue_qos0_messages true",
        // Its default holds small packets back for up to 40 ms, until the subscriber's system confirms the last one.
        "set_tcp_nodelay true",
        "log_dest stderr",
        "log_type error",
        "log_type information",
        // Otherwise it becomes a user who cannot write to the folder.
        Environment.UserName == "root" ? "user root" : string.Empty,
    ];
}
