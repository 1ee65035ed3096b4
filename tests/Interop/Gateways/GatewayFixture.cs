using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Gateways;

/// <summary>A gateway, a folder and a client certificate for the tests of one class.</summary>
public abstract class GatewayFixture : IAsyncLifetime
{
    private readonly string[] options;
    private GatewayProcess? gateway;

    protected GatewayFixture(params string[] options) => this.options = options;

    internal TemporaryFolder Folder { get; } = new();

    internal TestCertificate Client { get; private set; } = null!;

    internal GatewayProcess Gateway => gateway!;

    /// <summary>Nothing starts where the tests will not run.</summary>
    public async Task InitializeAsync()
    {
        if (PeerRequirement.Reason is not null)
            return;
        Client = TestCertificate.ForApplication(Folder.Path, "urn:interop:client");
        gateway = await GatewayProcess.StartAsync(Folder, [.. options, .. ConfigureOptions()]);
        await PrepareAsync();
    }

    public async Task DisposeAsync()
    {
        try
        {
            await FinishAsync();
        }
        finally
        {
            if (gateway is { } running)
                await running.DisposeAsync();
            Folder.Dispose();
        }
    }

    /// <summary>Options that need the folder or files in it.</summary>
    protected virtual IEnumerable<string> ConfigureOptions() => [];

    /// <summary>What is done once for all tests of the class, with the gateway running.</summary>
    protected virtual Task PrepareAsync() => Task.CompletedTask;

    /// <summary>What is checked after all tests of the class, with the gateway still running.</summary>
    protected virtual Task FinishAsync() => Task.CompletedTask;

    internal Task<JsonElement> RunAsync(string script, object more) =>
        PeerProcess.RunAsync(script, PeerArguments.Create(Folder, Client, Gateway.EndpointUrl, more));

    internal PeerProcess Start(string script, object more) =>
        PeerProcess.Start(script, PeerArguments.Create(Folder, Client, Gateway.EndpointUrl, more));
}
