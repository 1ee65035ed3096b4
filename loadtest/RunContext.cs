using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Reports;
using Gateway.Loadtest.Terminal;

namespace Gateway.Loadtest;

/// <summary>The tools of a scenario: the server, the driver's clients, the meters, the report.</summary>
internal sealed class RunContext : IAsyncDisposable
{
    private readonly ScenarioValues _values;
    private readonly GatewayProcess? _gateway;
    private readonly SessionFactory? _sessions;
    private readonly ProcessProbe _driver = new(Environment.ProcessId);

    private RunContext(
        RunOptions options,
        ScenarioValues values,
        Report report,
        ProgressLine progress,
        GatewayProcess? gateway,
        ProcessProbe? server,
        SessionFactory? sessions,
        CancellationToken cancellation)
    {
        Options = options;
        _values = values;
        Report = report;
        Progress = progress;
        Cancellation = cancellation;
        _gateway = gateway;
        _sessions = sessions;
        Server = server;
    }

    public RunOptions Options { get; }

    public ScenarioValues Values => _values;

    public Report Report { get; }

    public ProgressLine Progress { get; }

    public CancellationToken Cancellation { get; }

    public SessionFactory Sessions =>
        _sessions ?? throw new InvalidOperationException("this scenario starts its servers itself");

    public string Url => Sessions.Url;

    /// <summary>Of a gateway that the run started; null otherwise.</summary>
    public string? HttpUrl => _gateway?.HttpUrl;

    /// <summary>The server is a gateway that this run started and that had no other clients before.</summary>
    public bool StartedServer => _gateway is not null;

    /// <summary>NaN: the run started no gateway.</summary>
    public double ReadySeconds => _gateway?.ReadySeconds ?? double.NaN;

    /// <summary>0: not known.</summary>
    public int ServerPid => Server?.ProcessId ?? 0;

    /// <summary>The size of the log that a gateway of the run has written.</summary>
    public long LogBytes => _gateway?.LogBytes ?? 0;

    public int LogStackTraces => _gateway?.LogStackTraces ?? 0;

    public int LogControlLines => _gateway?.LogControlLines ?? 0;

    /// <summary>Where a gateway that the run started keeps refused certificates; null: it started none.</summary>
    public string? RejectedFolder => _gateway?.RejectedFolder;

    /// <summary>Where it looks for users' certificates.</summary>
    public string? TrustedUserFolder => _gateway?.TrustedUserFolder;

    /// <summary>Null: no option names the server's process.</summary>
    public ProcessProbe? Server { get; }

    /// <summary>Starts a gateway where the options name one, and finds out the server's facts.</summary>
    public static async Task<RunContext> StartAsync(
        RunOptions options,
        Scenario scenario,
        ScenarioValues values,
        Report report,
        ProgressLine progress,
        CancellationToken cancellation)
    {
        progress.Begin("measuring this machine's RSA speed");
        report.SignaturesPerSecond = RsaFloor.Measure();
        return scenario.StartsServers
            ? new RunContext(options, values, report, progress, null, null, null, cancellation)
            : await ConnectAsync(options, scenario, values, report, progress, cancellation);
    }

    /// <summary>Another server of the same run; its starter ends it.</summary>
    public Task<RunContext> StartAnotherAsync(RunOptions options, Scenario scenario, Plant? plant = null) =>
        ConnectAsync(options, scenario, _values, Report, Progress, Cancellation, plant);

    /// <summary>For a whole scenario inside this one, with a report of its own.</summary>
    public async Task<RunContext> StartPartAsync(
        RunOptions options, Scenario scenario, ScenarioValues values, Report report)
    {
        report.SignaturesPerSecond = Report.SignaturesPerSecond;
        return scenario.StartsServers
            ? new RunContext(options, values, report, Progress, null, null, null, Cancellation)
            : await ConnectAsync(options, scenario, values, report, Progress, Cancellation);
    }

    /// <summary>The same server with other options: its process belongs to this context still.</summary>
    public async Task<RunContext> ShareAsync(RunOptions options)
    {
        var sessions = await SessionFactory.CreateAsync(options, Url, Cancellation);
        var server = Server is null ? null : new ProcessProbe(Server.ProcessId, _gateway?.CountersFile);
        return new RunContext(options, _values, Report, Progress, null, server, sessions, Cancellation);
    }

    private static async Task<RunContext> ConnectAsync(
        RunOptions options,
        Scenario scenario,
        ScenarioValues values,
        Report report,
        ProgressLine progress,
        CancellationToken cancellation,
        Plant? plant = null)
    {
        progress.Begin(options.Url is null ? "starting the gateway" : $"connecting to {options.Url}");
        var gateway = options.Url is null
            ? await GatewayProcess.StartAsync(options, plant ?? scenario.PlantOf(values), cancellation)
            : null;
        try
        {
            var sessions = await SessionFactory.CreateAsync(options, gateway?.Url ?? options.Url!, cancellation);
            var pid = gateway?.ProcessId ?? options.ServerPid;
            var server = pid > 0 ? new ProcessProbe(pid, gateway?.CountersFile) : null;
            var context = new RunContext(options, values, report, progress, gateway, server, sessions, cancellation);
            await context.DescribeAsync(scenario);
            return context;
        }
        catch
        {
            if (gateway is not null)
                await gateway.DisposeAsync();
            throw;
        }
    }

    public T Get<T>(System.CommandLine.Option<T> option) => _values.Get(option);

    public string Get(System.CommandLine.Argument<string> argument) => _values.Text(argument);

    public Meter StartMeter() => new(Server, _driver);

    /// <summary>Server and driver over the next seconds, and what is measured beside them.</summary>
    public async Task<Window> MeasureAsync(string phase, double seconds, IMeasurement? beside = null)
    {
        Progress.BeginSeconds(phase, seconds);
        var meter = StartMeter();
        if (beside is null)
            await Task.Delay(TimeSpan.FromSeconds(seconds), Cancellation);
        else
            await beside.MeasureAsync(seconds, Cancellation);
        return meter.Stop();
    }

    public Task WaitAsync(string phase, double seconds)
    {
        Progress.BeginSeconds(phase, seconds);
        return Task.Delay(TimeSpan.FromSeconds(seconds), Cancellation);
    }

    /// <summary>Of a core: the server's load without clients, once the work of their leaving is over.</summary>
    public async Task<double> IdleCoresAsync()
    {
        if (Server is null)
            return double.NaN;
        await WaitAsync("letting the server settle", 3);
        var window = await MeasureAsync("the idle server", 5);
        return window.ServerCores;
    }

    /// <summary>As many tags as asked for, or as the server has: then the sessions share them, and the report says
    /// so.</summary>
    public async Task<NodeId[]> FindTagsAsync(int wanted)
    {
        Progress.Begin("looking for the tags");
        await using var session = await Sessions.OpenAsync(Cancellation);
        var count = await NodeReader.CountTagsAsync(session, Sessions.Tag, wanted, Cancellation);
        if (count == 0)
            throw new InvalidOperationException(
                $"the server has no tag {Sessions.Tag(0)}: name its counters with --tag and --first-tag");
        if (count < wanted)
            Report.Note($"the server has {count} of {wanted} tags: they are used again and again");
        var tags = new NodeId[count];
        for (var i = 0; i < count; i++)
            tags[i] = Sessions.Tag(i);
        return tags;
    }

    public async ValueTask DisposeAsync()
    {
        // Off the socket's thread, on which an awaited answer continues and for which what follows may wait.
        await Task.Yield();
        Progress.Begin("ending");
        _sessions?.Dispose();
        Server?.Dispose();
        _driver.Dispose();
        if (_gateway is not null)
            await _gateway.DisposeAsync();
    }

    private async Task DescribeAsync(Scenario scenario)
    {
        foreach (var argument in scenario.Arguments)
            Report.Facts[argument.Name] = _values.Text(argument);
        foreach (var option in scenario.Options)
            Report.Facts[option.Name] = _values.Text(option);
        await using var session = await Sessions.OpenAsync(Cancellation);
        var build = await NodeReader.ReadAsync(
            session,
            [
                new NodeId(StandardIds.Variables.Server_ServerStatus_BuildInfo_ProductName),
                new NodeId(StandardIds.Variables.Server_ServerStatus_BuildInfo_SoftwareVersion),
            ],
            Cancellation);
        Report.Facts["server"] = $"{build[0].Value} {build[1].Value}, {Options.Policy} {Options.Mode}, " +
            $"{(Options.User is null ? "anonymous" : "user name")}, " +
            (Server is null ? "process not known" : "on this machine");
    }
}
