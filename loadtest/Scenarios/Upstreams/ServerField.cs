using System.Globalization;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.Upstreams;

/// <summary>The servers behind the gateway: processes, each with a plant.</summary>
internal sealed class ServerField(RunContext context, Plant plant) : IAsyncDisposable
{
    private readonly List<GatewayProcess> _processes = [];

    public IReadOnlyList<GatewayProcess> Processes => _processes;

    public static string NameOf(int server) => string.Create(CultureInfo.InvariantCulture, $"U{server}");

    /// <summary>One after the other: a start takes a core.</summary>
    public async Task StartAsync(int count)
    {
        context.Progress.Begin("starting the servers", count, () => _processes.Count);
        while (_processes.Count < count)
            _processes.Add(await GatewayProcess.StartAsync(context.Options, plant, context.Cancellation));
    }

    /// <summary>Keys of a gateway in front of them.</summary>
    public IEnumerable<string> Arguments(double publishingIntervalMs) => _processes.SelectMany(
        (server, i) => new[]
        {
            $"--Upstreams:{i}:Name={NameOf(i)}",
            $"--Upstreams:{i}:EndpointUrl={server.Url}",
            $"--Upstreams:{i}:SecurityPolicy=None",
            $"--Upstreams:{i}:MaxNodes=2000000",
            string.Create(
                CultureInfo.InvariantCulture, $"--Upstreams:{i}:PublishingIntervalMs={publishingIntervalMs}"),
        });

    public ValueTask KillAsync(int server) => _processes[server].DisposeAsync();

    /// <summary>A new process on the same port. Returns when it listens.</summary>
    public async Task StartAgainAsync(int server) => _processes[server] = await GatewayProcess.StartAsync(
        context.Options, plant with { Port = _processes[server].Port }, context.Cancellation);

    public async ValueTask DisposeAsync()
    {
        foreach (var process in _processes)
            await process.DisposeAsync();
    }
}
