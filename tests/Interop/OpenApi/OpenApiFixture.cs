using System.Text;
using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.OpenApi;

/// <summary>A gateway with a user who may do everything, for scripts that speak HTTP alone.</summary>
[CollectionDefinition(Name)]
public sealed class OpenApiFixture : IAsyncLifetime, ICollectionFixture<OpenApiFixture>
{
    public const string Name = "openapi";

    private GatewayProcess? gateway;

    internal TemporaryFolder Folder { get; } = new();

    /// <summary>Nothing starts where the tests will not run.</summary>
    public async Task InitializeAsync()
    {
        if (PeerRequirement.ReasonOf(PeerProgram.OpenApi) is null)
            gateway = await GatewayProcess.StartAsync(
                Folder, "--Users:0:Name=operator", "--Users:0:Password=horse", "--Users:0:Roles:0=Operator",
                "--Users:0:Roles:1=Engineer", "--Users:0:Roles:2=SecurityAdmin");
    }

    public async Task DisposeAsync()
    {
        if (gateway is { } running)
            await running.DisposeAsync();
        Folder.Dispose();
    }

    internal Task<JsonElement> RunAsync(string script) => PeerProcess.RunAsync(
        "openapi/" + script,
        new
        {
            baseUrl = $"http://127.0.0.1:{gateway!.HttpPort}",
            authorization = "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes("operator:horse")),
        },
        PeerProgram.OpenApi);
}
