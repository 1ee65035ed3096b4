using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Gateway.Loadtest.Machine;

/// <summary>A gateway of the run's own: on free loopback ports, with the plant that the run asks for, in a folder that
/// is removed with it. Its runtime's counters are written by our <see cref="StartupHook"/> inside it.</summary>
internal sealed class GatewayProcess : IAsyncDisposable
{
    private const int MaxLogCharacters = 4000;

    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly DirectoryInfo _folder;
    private readonly StringBuilder _log = new();
    private long _logBytes;
    private int _stackTraces;
    private int _controlLines;
    private long _startedAt;
    private double _readySeconds = double.NaN;

    private GatewayProcess(Process process, DirectoryInfo folder, int port, int httpPort)
    {
        _process = process;
        _folder = folder;
        Port = port;
        Url = $"opc.tcp://127.0.0.1:{port}";
        HttpUrl = $"http://127.0.0.1:{httpPort}";
    }

    public int Port { get; }

    public string Url { get; }

    public string HttpUrl { get; }

    public int ProcessId => _process.Id;

    /// <summary>All that it wrote, in UTF-8.</summary>
    public long LogBytes => Interlocked.Read(ref _logBytes);

    /// <summary>Lines that show a place in the code.</summary>
    public int LogStackTraces => Volatile.Read(ref _stackTraces);

    /// <summary>Lines with a character that a terminal takes for a command.</summary>
    public int LogControlLines => Volatile.Read(ref _controlLines);

    /// <summary>From its start to the line that says so; NaN before.</summary>
    public double ReadySeconds => Volatile.Read(ref _readySeconds);

    public string CountersFile => CountersIn(_folder);

    /// <summary>There once it listens.</summary>
    public string RejectedFolder => Path.Combine(_folder.FullName, "pki", "rejected", "certs");

    /// <summary>Certificates of users that it trusts; there once it listens.</summary>
    public string TrustedUserFolder => Path.Combine(_folder.FullName, "pki", "trustedUser", "certs");

    public static async Task<GatewayProcess> StartAsync(
        RunOptions options, Plant plant, CancellationToken cancellation)
    {
        var folder = Directory.CreateTempSubdirectory("gateway-loadtest");
        var port = plant.Port > 0 ? plant.Port : FreePort.Next();
        var httpPort = FreePort.Next();
        var start = new ProcessStartInfo(plant.DescriptorLimit > 0 ? "sh" : "dotnet")
        {
            WorkingDirectory = folder.FullName,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var argument in Limited(plant.DescriptorLimit))
            start.ArgumentList.Add(argument);
        start.Environment["DOTNET_STARTUP_HOOKS"] = typeof(GatewayProcess).Assembly.Location;
        start.Environment[RuntimeCountersWriter.FileVariable] = CountersIn(folder);
        foreach (var argument in Arguments(options, plant, folder, port, httpPort))
            start.ArgumentList.Add(argument);
        if (plant.Settings.Length > 0)
            File.WriteAllText(Path.Combine(folder.FullName, "appsettings.json"), plant.Settings);
        var gateway = new GatewayProcess(new Process { StartInfo = start }, folder, port, httpPort);
        try
        {
            gateway.Start();
            await gateway.WaitUntilItListensAsync(port, cancellation);
            return gateway;
        }
        catch
        {
            await gateway.DisposeAsync();
            throw;
        }
    }

    /// <summary>Awaits the end: blocking would stop the socket's thread on which a driver's code may run, and with it
    /// the reading of the process's last lines.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        _process.Dispose();
        _folder.Delete(recursive: true);
    }

    /// <summary>A shell that takes the limit on and becomes the gateway.</summary>
    private static string[] Limited(int descriptors) => descriptors > 0
        ? ["-c", string.Create(CultureInfo.InvariantCulture, $"ulimit -n {descriptors} && exec \"$@\""), "sh", "dotnet"]
        : [];

    private static string CountersIn(DirectoryInfo folder) => Path.Combine(folder.FullName, "counters");

    private static IEnumerable<string> Arguments(
        RunOptions options, Plant plant, DirectoryInfo folder, int port, int httpPort) =>
    [
        Path.GetFullPath(options.GatewayDll!),
        "--demo",
        $"--OpcUa:Port={port}",
        "--OpcUa:Address=127.0.0.1",
        $"--Http:Port={httpPort}",
        "--Http:Address=127.0.0.1",
        $"--Pki:Path={Path.Combine(folder.FullName, "pki")}",
        $"--Simulator:Tags={plant.Tags}",
        $"--Simulator:ChangesPerSecond={plant.ChangesPerSecond}",
        .. WritableTags(plant, folder),
        .. plant.Arguments,
        .. options.GatewayArguments,
    ];

    private static IEnumerable<string> WritableTags(Plant plant, DirectoryInfo folder)
    {
        if (plant.WritableTags == 0)
            return [];
        var nodeSets = folder.CreateSubdirectory("nodesets");
        WritableNodeSet.Write(Path.Combine(nodeSets.FullName, "writable.xml"), plant.WritableTags);
        return [$"--NodeSets:Path={nodeSets.FullName}"];
    }

    private void Start()
    {
        _process.OutputDataReceived += (_, line) => Keep(line.Data);
        _process.ErrorDataReceived += (_, line) => Keep(line.Data);
        _startedAt = TimeProvider.System.GetTimestamp();
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>Counts all, keeps the first lines: why it did not start, if it did not.</summary>
    private void Keep(string? line)
    {
        if (line is null)
            return;
        if (line.StartsWith("Gateway ready", StringComparison.Ordinal))
            Volatile.Write(ref _readySeconds, TimeProvider.System.GetElapsedTime(_startedAt).TotalSeconds);
        Interlocked.Add(ref _logBytes, Encoding.UTF8.GetByteCount(line) + 1);
        if (line.Any(char.IsControl))
            Interlocked.Increment(ref _controlLines);
        // The log has an exception in one line.
        if (line.TrimStart().StartsWith("at Gateway.", StringComparison.Ordinal) ||
            line.Contains(" at Gateway.", StringComparison.Ordinal) ||
            line.Contains("Unhandled exception", StringComparison.Ordinal))
            Interlocked.Increment(ref _stackTraces);
        lock (_log)
        {
            if (_log.Length < MaxLogCharacters)
                _log.AppendLine(line);
        }
    }

    private async Task WaitUntilItListensAsync(int port, CancellationToken cancellation)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        deadline.CancelAfter(StartTimeout);
        while (true)
        {
            if (_process.HasExited)
                throw new InvalidOperationException($"the gateway ended with {_process.ExitCode}:\n{Log()}");
            try
            {
                using var socket = new TcpClient();
                await socket.ConnectAsync(IPAddress.Loopback, port, deadline.Token);
                return;
            }
            catch (SocketException)
            {
                await Task.Delay(100, deadline.Token);
            }
        }
    }

    private string Log()
    {
        lock (_log)
            return _log.ToString();
    }
}
