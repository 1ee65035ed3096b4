using System.Net;
using System.Net.Sockets;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Host;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Logging;
using Gateway.Sources;
using Gateway.Transport.Security;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Drivers;

/// <summary>What docs/extending.md says of a driver: registered by its name, and nothing else of the gateway changes.
/// </summary>
public sealed class AddDriverTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task ClockDriver_RegisteredByName_ItsNodeIsReadAndWatchedByAClient()
    {
        var configuration = CommandLine.ReadConfiguration(
        [
            "--demo", "--OpcUa:Address=127.0.0.1", $"--OpcUa:Port={FreePort()}", $"--Http:Port={FreePort()}",
            $"--Pki:Path={_folder}", "--Simulator:Enabled=false",
        ]);
        var settings = GatewaySettingsReader.TryRead(configuration, out _)!;
        var builder = GatewayApplication.CreateBuilder(
            configuration, settings, new LogThrottle(new LogLimits(), TimeProvider.System));
        await using var parts = new GatewayParts(
            settings, TimeProvider.System, NullLoggerFactory.Instance,
            new SourceDriverRegistration("Clock", gateway => new ClockDriver(gateway)));
        await using var application = GatewayApplication.Build(builder, settings, parts, TimeProvider.System);
        await application.StartAsync();
        Assert.True(parts.Nodes.Namespaces.TryGetIndex("urn:plant:clock", out var index));
        var now = new NodeId("Now", index);
        using var client = new UaClient(new ClientOptions());
        await using var session = await client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = $"opc.tcp://127.0.0.1:{settings.OpcUaEndPoint.Port}",
            SecurityPolicyUri = SecurityPolicies.None.Uri,
        });

        var read = await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
        {
            TimestampsToReturn = TimestampsToReturn.Both,
            NodesToRead = [new ReadValueId { NodeId = now, AttributeId = (uint)AttributeId.Value }],
        });
        var changes = new FirstChanges(3);
        var subscription = await session.CreateSubscriptionAsync(
            new SubscriptionSettings { PublishingIntervalMs = 100 }, changes);
        await subscription.CreateMonitoredItemsAsync([new MonitoredItemCreateRequest
        {
            ItemToMonitor = new ReadValueId { NodeId = now, AttributeId = (uint)AttributeId.Value },
            MonitoringMode = MonitoringMode.Reporting,
            RequestedParameters = new MonitoringParameters { SamplingInterval = 100, QueueSize = 1 },
        }]);

        Assert.Equal(BuiltInType.DateTime, Assert.Single(read.Results!).Value.Type);
        await changes.All.WaitAsync(Patience);
        Assert.Equal("Clock", Assert.Single(parts.Sources.Report("Clock")).Name);
    }

    [Fact]
    public void ClockDriver_OfTheDocument_IsTheOneThatIsTested()
    {
        var root = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(root, "Gateway.sln")))
            root = Path.GetDirectoryName(root)!;
        var section = File.ReadAllText(Path.Combine(root, "docs", "extending.md")).Split("### Add a driver")[1];
        var driver = section.Split("```csharp\n")[1].Split("```")[0];

        var tested = File.ReadAllText(Path.Combine(root, "tests", "Gateway.Tests", "Drivers", "ClockDriver.cs"));

        Assert.EndsWith(driver, tested, StringComparison.Ordinal);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    /// <summary>Ends when so many changes have come: the gateway polls the driver.</summary>
    private sealed class FirstChanges(int count) : ISubscriptionHandler
    {
        private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _left = count;

        public Task All => _all.Task;

        public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
        {
            _left -= changes.Count;
            if (_left <= 0)
                _all.TrySetResult();
        }

        public void OnStatusChange(ClientSubscription subscription, StatusCode status) =>
            _all.TrySetException(new InvalidOperationException($"The subscription ended: {status}"));
    }
}
