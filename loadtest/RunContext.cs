using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest;

/// <summary>What a scenario works with: the server, the driver's client, the meters, the report.</summary>
internal sealed class RunContext : IAsyncDisposable
{
    private readonly GatewayProcess? _gateway;

    private RunContext(
        RunOptions options,
        Report report,
        GatewayProcess? gateway,
        SessionFactory sessions,
        CancellationToken cancellation)
    {
        Options = options;
        Report = report;
        Cancellation = cancellation;
        _gateway = gateway;
        Sessions = sessions;
        Url = gateway?.Url ?? options.Url!;
        ServerPid = gateway?.ProcessId ?? options.ServerPid;
        Server = ServerPid > 0 ? new ProcessProbe(ServerPid) : null;
    }

    public RunOptions Options { get; }

    public Report Report { get; }

    public CancellationToken Cancellation { get; }

    public SessionFactory Sessions { get; }

    public string Url { get; }

    /// <summary>0: not known.</summary>
    public int ServerPid { get; }

    /// <summary>Null: nobody said which process the server is.</summary>
    public ProcessProbe? Server { get; }

    public ProcessProbe Driver { get; } = new(Environment.ProcessId);

    public double ServerCpuSeconds => Server?.CpuSeconds() ?? double.NaN;

    public double ServerMemoryBytes => Server?.ResidentBytes() ?? double.NaN;

    public static async Task<RunContext> StartAsync(RunOptions options, Report report, CancellationToken cancellation)
    {
        report.SignaturesPerSecond = RsaFloor.Measure();
        var gateway = options.GatewayDll is null ? null : await GatewayProcess.StartAsync(options, cancellation);
        try
        {
            var url = gateway?.Url ?? options.Url!;
            var sessions = await SessionFactory.CreateAsync(options, url, cancellation);
            return new RunContext(options, report, gateway, sessions, cancellation);
        }
        catch
        {
            gateway?.Dispose();
            throw;
        }
    }

    /// <returns>Of a core, over the next seconds.</returns>
    public async Task<double> ServerCpuPerSecondAsync(int seconds)
    {
        var cpu = ServerCpuSeconds;
        var since = TimeProvider.System.GetTimestamp();
        await Task.Delay(TimeSpan.FromSeconds(seconds), Cancellation);
        return (ServerCpuSeconds - cpu) / TimeProvider.System.GetElapsedTime(since).TotalSeconds;
    }

    /// <summary>What the server does without clients, once what their leaving caused is over.</summary>
    public async Task<double> ServerIdleCpuAsync()
    {
        await Task.Delay(TimeSpan.FromSeconds(3), Cancellation);
        return await ServerCpuPerSecondAsync(5);
    }

    public ValueTask DisposeAsync()
    {
        Sessions.Dispose();
        _gateway?.Dispose();
        return ValueTask.CompletedTask;
    }
}
