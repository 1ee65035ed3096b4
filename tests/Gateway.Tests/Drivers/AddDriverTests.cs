using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Host.Http;
using Gateway.Sources;
using Gateway.Testing;
using Gateway.Tests.Hosting;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Gateway.Tests.Drivers;

/// <summary>What docs/extending.md says of a driver: registered by its name, and nothing else of the gateway changes.
/// </summary>
public sealed class AddDriverTests : IDisposable
{

    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task ClockDriver_RegisteredByName_ItsNodeIsReadAndWatchedByAClient()
    {
        await using var application = Composition.Build(
            TimeProvider.System, [new SourceDriverRegistration("Clock", gateway => new ClockDriver(gateway))],
            "--demo", $"--Pki:Path={_folder}", "--Simulator:Enabled=false");
        await application.StartAsync();
        Assert.True(application.Get<NodeTable>().Namespaces.TryGetIndex("urn:plant:clock", out var index));
        var now = new NodeId("Now", index);
        using var client = new UaClient(new ClientOptions());
        await using var session = await client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = $"opc.tcp://127.0.0.1:{application.Get<UaTcpOptions>().EndPoint.Port}",
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
        await changes.All.WaitAsync(Patience.Limit);
        Assert.Equal("Clock", Assert.Single(application.Get<SourceDrivers>().Report("Clock")).Name);
    }

    /// <summary>A metric and a health check of the framework come with the registration alone.</summary>
    [Fact]
    public async Task ClockDriver_RegisteredByName_ItsStateIsVisibleToOperators()
    {
        await using var application = Composition.Build(
            TimeProvider.System, [new SourceDriverRegistration("Clock", gateway => new ClockDriver(gateway))],
            "--demo", $"--Pki:Path={_folder}", "--Simulator:Tags=1");
        await application.StartAsync();

        var report = await application.Get<HealthCheckService>().CheckHealthAsync(one => one.Name == "Clock");
        var scraper = application.Get<MetricsScraper>();
        var text = Encoding.UTF8.GetString(
            (await scraper.ScrapeAsync(ExpositionFormat.Text, CancellationToken.None))!);

        var (name, entry) = Assert.Single(report.Entries);
        Assert.Equal(("Clock", HealthStatus.Healthy), (name, entry.Status));
        Assert.Equal("online", entry.Data["Clock"]);
        Assert.Contains(LineOf(text, "Clock", "online"), line => line.EndsWith(" 1", StringComparison.Ordinal));
        Assert.Contains(LineOf(text, "Clock", "away"), line => line.EndsWith(" 0", StringComparison.Ordinal));
        Assert.NotEmpty(LineOf(text, "Simulator", "online"));
    }

    private static IEnumerable<string> LineOf(string text, string driver, string state) => text.Split('\n').Where(
        line => line.StartsWith("gateway_source_state{", StringComparison.Ordinal) &&
        line.Contains($"driver=\"{driver}\"", StringComparison.Ordinal) &&
        line.Contains($"state=\"{state}\"", StringComparison.Ordinal));

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
