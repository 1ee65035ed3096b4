using Gateway.Loadtest.Machine;

namespace Gateway.Interop.Scripts;

/// <summary>node-opcua's server dressed as a plant (server.js); can be killed and started again on its port.</summary>
internal sealed class PlantServer : IAsyncDisposable
{
    private readonly Func<double[]?, object> arguments;
    private PeerProcess? process;

    private PlantServer(int port, Func<double[]?, object> arguments)
    {
        Port = port;
        this.arguments = arguments;
    }

    public int Port { get; }

    public string EndpointUrl => $"opc.tcp://127.0.0.1:{Port}";

    public static async Task<PlantServer> StartAsync(
        TemporaryFolder folder, string name, string namespaceUri, int changeMs = 100,
        string[]? namespacesBefore = null, bool structures = false, bool hostile = false, int delayMs = 0,
        object? capabilities = null, double[]? levels = null, bool clock = false)
    {
        int port = FreePort.Next();
        PlantServer server = new(port, now => new
        {
            pki = PeerPki.In(folder, name + "-pki"),
            port,
            applicationUri = "urn:interop:" + name,
            namespaceUri,
            changeMs,
            namespacesBefore = namespacesBefore ?? [],
            tags = 100,
            structures,
            hostile,
            delayMs,
            capabilities = capabilities ?? new { },
            levels = now ?? levels,
            clock,
        });
        await server.StartAsync();
        return server;
    }

    /// <summary>With alarms on levels that are others than before.</summary>
    public Task StartAsync(double[] levels) => StartAsync(arguments(levels));

    public async Task StartAsync(object? otherArguments = null)
    {
        process = PeerProcess.Start("server.js", otherArguments ?? arguments(null));
        await process.WaitForAsync("ready");
    }

    /// <summary>SIGSTOP.</summary>
    public void Freeze() => process!.Freeze();

    /// <summary>SIGCONT.</summary>
    public void Thaw() => process!.Thaw();

    public async Task KillAsync()
    {
        await process!.KillAsync();
        await process.DisposeAsync();
        process = null;
    }

    public async ValueTask DisposeAsync()
    {
        if (process is { } running)
            await running.DisposeAsync();
    }
}
