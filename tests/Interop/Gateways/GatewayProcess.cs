using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using System.Text.RegularExpressions;
using Gateway.Loadtest.Machine;
using Gateway.Server.Users;
using Gateway.Testing;

namespace Gateway.Interop.Gateways;

/// <summary>
/// The gateway as its users run it: <c>dotnet Gateway.Gateway.dll --Key=Value …</c> on free loopback ports in a folder
/// of its own. It can be stopped, killed and started again on the same ports and folder.
/// </summary>
internal sealed partial class GatewayProcess : IAsyncDisposable
{
    private static readonly ConcurrentDictionary<string, PasswordHash> Hashes = new();

    private readonly Func<ProcessStartInfo> start;
    private readonly Lock waitersLock = new();
    private readonly List<(string Text, TaskCompletionSource Seen)> waiters = [];
    private ChildProcess? process;

    private GatewayProcess(TemporaryFolder folder, int descriptorLimit, IEnumerable<string> options)
    {
        string home = folder.Sub("gateway");
        Pki = folder.Sub("gateway", "pki");
        GivenKey.PutInto(Pki);
        Port = FreePort.Next();
        HttpPort = FreePort.Next();
        string[] arguments =
        [
            GatewayProgram.Path,
            "--OpcUa:Address=127.0.0.1", $"--OpcUa:Port={Port}",
            "--Http:Address=127.0.0.1", $"--Http:Port={HttpPort}",
            $"--Pki:Path={Pki}",
            .. options.Select(Hashed),
        ];
        start = () => Short(descriptorLimit == 0
            ? new("dotnet", arguments) { WorkingDirectory = home }
            : new("sh", ["-c", $"ulimit -n {descriptorLimit} && exec \"$0\" \"$@\"", "dotnet", .. arguments])
            {
                WorkingDirectory = home,
            });
    }

    private GatewayProcess(int port, int httpPort, string pki, Func<ProcessStartInfo> start)
    {
        (Port, HttpPort, Pki) = (port, httpPort, pki);
        this.start = start;
    }

    public int Port { get; }

    public int HttpPort { get; }

    public string Pki { get; }

    public string EndpointUrl => $"opc.tcp://127.0.0.1:{Port}";

    public string Output => process?.Output ?? "";

    public int ProcessId => process!.Id;

    public bool HasEnded => process!.Exit.IsCompleted;

    public static Task<GatewayProcess> StartAsync(TemporaryFolder folder, params string[] options) =>
        StartAsync(folder, 0, options);

    /// <param name="folder">Holds its own.</param>
    /// <param name="descriptorLimit">Most descriptors that the process may have; 0: as many as this one.</param>
    /// <param name="options">Its command line.</param>
    public static async Task<GatewayProcess> StartAsync(
        TemporaryFolder folder, int descriptorLimit, string[] options)
    {
        GatewayProcess gateway = new(folder, descriptorLimit, options);
        await gateway.StartAsync();
        return gateway;
    }

    /// <summary>By a command that somebody typed, with the ports that its environment or line says.</summary>
    public static async Task<GatewayProcess> StartTypedAsync(
        int port, int httpPort, string pki, Func<ProcessStartInfo> start)
    {
        GatewayProcess gateway = new(port, httpPort, pki, start);
        await gateway.StartAsync();
        return gateway;
    }

    /// <summary>Starts it and awaits the ready line; fails with its output when it ends or takes too long.</summary>
    public async Task StartAsync()
    {
        TaskCompletionSource ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
        process = new(start(), line =>
        {
            if (line.Contains("ready", StringComparison.OrdinalIgnoreCase)
                && line.Contains("opc.tcp://", StringComparison.Ordinal))
                ready.TrySetResult();
            TellWaiters(line);
        });
        Task<int> exit = process.Exit;
        Task first;
        try
        {
            first = await Task.WhenAny(ready.Task, exit).WaitAsync(Patience.Limit);
        }
        catch (TimeoutException)
        {
            first = exit;
        }

        if (first == exit)
        {
            string output = Output;
            await DisposeAsync();
            Assert.Fail($"the gateway was not ready within {Patience.Limit} or ended\n{output}");
        }
    }

    /// <summary>Awaits a line that holds the text, also one that came before.</summary>
    public async Task WaitForLogAsync(string text)
    {
        TaskCompletionSource seen = new(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (waitersLock)
            waiters.Add((text, seen));
        if (Output.Contains(text, StringComparison.Ordinal))
            seen.TrySetResult();
        try
        {
            await seen.Task.WaitAsync(Patience.Limit);
        }
        catch (TimeoutException)
        {
            Assert.Fail($"'{text}' is not in the gateway's log\n{Output}");
        }
    }

    /// <summary>SIGTERM; the exit code.</summary>
    public Task<int> StopAsync() => process!.StopAsync();

    public Task KillAsync() => process!.KillAsync();

    public void Terminate() => process!.Terminate();

    /// <summary>A life of seconds gains little from methods compiled again: after 1,024 calls, not after 30. A tenth
    /// of a test's processor time.</summary>
    private static ProcessStartInfo Short(ProcessStartInfo start)
    {
        start.Environment.TryAdd("DOTNET_TC_CallCountThreshold", "400");
        return start;
    }

    private void TellWaiters(string line)
    {
        lock (waitersLock)
        {
            foreach ((string text, TaskCompletionSource seen) in waiters)
            {
                if (line.Contains(text, StringComparison.Ordinal))
                    seen.TrySetResult();
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (process is { } running)
            await running.DisposeAsync();
    }

    /// <summary>A user's password in clear costs each start and each login a tenth of a second: here it is made a hash
    /// of the fewest iterations.</summary>
    private static string Hashed(string option)
    {
        Match password = UserPassword().Match(option);
        return password.Success
            ? $"{password.Groups[1].Value}PasswordHash=" + Hashes.GetOrAdd(
                password.Groups[2].Value, static text => PasswordHash.Create(Encoding.UTF8.GetBytes(text), 10_000))
            : option;
    }

    [GeneratedRegex("^(--Users:[0-9]+:)Password=(.*)$")]
    private static partial Regex UserPassword();
}
