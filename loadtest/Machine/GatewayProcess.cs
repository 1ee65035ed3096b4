using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Gateway.Loadtest.Machine;

/// <summary>A gateway of the run's own: on free loopback ports, with the plant that the run asks for, in a folder that
/// is removed with it.</summary>
internal sealed class GatewayProcess : IDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly DirectoryInfo _folder;

    private GatewayProcess(Process process, DirectoryInfo folder, int port)
    {
        _process = process;
        _folder = folder;
        Url = $"opc.tcp://127.0.0.1:{port}";
    }

    public string Url { get; }

    public int ProcessId => _process.Id;

    public static async Task<GatewayProcess> StartAsync(RunOptions options, CancellationToken cancellation)
    {
        var folder = Directory.CreateTempSubdirectory("gateway-loadtest");
        var port = FreePort();
        var start = new ProcessStartInfo("dotnet")
        {
            WorkingDirectory = folder.FullName,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var argument in Arguments(options, folder, port))
            start.ArgumentList.Add(argument);
        var log = new StreamWriter(Path.Combine(Path.GetTempPath(), "gateway-loadtest.log")) { AutoFlush = true };
        var process = new Process { StartInfo = start };
        process.OutputDataReceived += (_, line) => log.WriteLine(line.Data);
        process.ErrorDataReceived += (_, line) => log.WriteLine(line.Data);
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        var gateway = new GatewayProcess(process, folder, port);
        try
        {
            await gateway.WaitUntilItListensAsync(port, cancellation);
            return gateway;
        }
        catch
        {
            gateway.Dispose();
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

    private static IEnumerable<string> Arguments(RunOptions options, DirectoryInfo folder, int port) =>
    [
        Path.GetFullPath(options.GatewayDll!),
        "--demo",
        $"--OpcUa:Port={port}",
        "--OpcUa:Address=127.0.0.1",
        $"--Http:Port={FreePort()}",
        "--Http:Address=127.0.0.1",
        $"--Pki:Path={Path.Combine(folder.FullName, "pki")}",
        $"--Simulator:Tags={options.Tags}",
        $"--Simulator:ChangesPerSecond={options.ChangesPerSecond}",
        .. options.ServerArguments,
    ];

    private async Task WaitUntilItListensAsync(int port, CancellationToken cancellation)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        deadline.CancelAfter(StartTimeout);
        while (true)
        {
            if (_process.HasExited)
                throw new InvalidOperationException($"the gateway ended with {_process.ExitCode}");
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

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
