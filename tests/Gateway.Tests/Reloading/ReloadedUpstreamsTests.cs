using System.Collections.Concurrent;
using System.Net;
using Gateway.AddressSpace.Nodes;
using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources;
using Gateway.Sources.OpcUa;
using Gateway.Testing;
using Gateway.Tests.Clock;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;

namespace Gateway.Tests.Reloading;

/// <summary>Upstreams come, change and go: another gateway is the controller.</summary>
[Collection(OwnMetrics.Name)]
public sealed class ReloadedUpstreamsTests
{
    private const string Tag = "nsu=urn:gateway:Press:urn:gateway:simulator;s=Int32";

    [Fact]
    public async Task Reload_UpstreamComesChangesAndGoes_ItsNodesToo()
    {
        await using var controller = await RunningGateway.StartAsync("--OpcUa:SecurityPolicies=None");
        await using var gateway = await ReloadGateway.StartAsync("{}");
        var url = UrlOf(controller);

        await gateway.ApplyAsync(Upstreams(Named("Press", url)));
        await Condition.UntilAsync(() => IsServedAsync(gateway));
        // The nodes are there a moment before the state says so, and the state has a time of its own.
        await Condition.UntilAsync(() => gateway.Host.Get<SourceDrivers>().Report(OpcUaDriver.DriverName).Single()
            .State is SourceState.Online or SourceState.Limited);
        var press = gateway.Host.Get<SourceDrivers>().Report(OpcUaDriver.DriverName).Single();
        await gateway.ApplyAsync(Upstreams(Named("Press", url), Named("Lathe", "opc.tcp://127.0.0.1:9")));
        Assert.Equal(
            ["Press", "Lathe"],
            gateway.Host.Get<SourceDrivers>().Report(OpcUaDriver.DriverName).Select(one => one.Name));
        Assert.Equal(
            press.Since, gateway.Host.Get<SourceDrivers>().Report(OpcUaDriver.DriverName)[0].Since);
        Assert.True(await IsServedAsync(gateway));

        await gateway.ApplyAsync(Upstreams(Named("Press", url, intervalMs: 100)));
        await Condition.UntilAsync(() => IsServedAsync(gateway));

        await gateway.ApplyAsync("{}");
        Assert.Empty(gateway.Host.Get<SourceDrivers>().Report(OpcUaDriver.DriverName));
        var (_, answer) = await RestGateway.GetAsync(gateway.Host.Client, RestGateway.Query("/api/v1/values", Tag));
        Assert.Equal("BadNodeIdUnknown", answer.GetProperty("values")[0].GetProperty("status").GetString());
    }

    /// <summary>Another controller answers in its place. Users without the right are refused: PermissionTests.
    /// </summary>
    [Fact]
    public async Task Reload_ControllerWithoutTheNodes_DriftIsToldAndAcceptedOverHttp()
    {
        await using var before = await RunningGateway.StartAsync("--OpcUa:SecurityPolicies=None");
        await using var after = await RunningGateway.StartAsync(
            "--OpcUa:SecurityPolicies=None", "--Simulator:Enabled=false");
        await using var gateway = await ReloadGateway.StartAsync("{}");
        await gateway.ApplyAsync(Upstreams(Named("Press", UrlOf(before))));
        await Condition.UntilAsync(() => IsServedAsync(gateway));
        Assert.False(await HasDriftedAsync(gateway));

        await gateway.ApplyAsync(Upstreams(Named("Press", UrlOf(after)), Named("Lathe", "opc.tcp://127.0.0.1:9")));
        await Condition.UntilAsync(() => HasDriftedAsync(gateway));

        Assert.Equal(HttpStatusCode.Conflict, await AcceptAsync(gateway, "Lathe"));
        Assert.Equal(HttpStatusCode.NotFound, await AcceptAsync(gateway, "Nobody"));
        Assert.True(await HasDriftedAsync(gateway));
        Assert.Equal(HttpStatusCode.NoContent, await AcceptAsync(gateway, "Press"));
        Assert.False(await HasDriftedAsync(gateway));
        // It is the accepted one already.
        Assert.Equal(HttpStatusCode.NoContent, await AcceptAsync(gateway, "Press"));
    }

    private static async Task<HttpStatusCode> AcceptAsync(ReloadGateway gateway, string upstream)
    {
        using var answer = await gateway.Host.Client.PostAsync(
            new Uri($"/api/v1/upstreams/{upstream}/drift/accept", UriKind.Relative), null);
        return answer.StatusCode;
    }

    private static async Task<bool> HasDriftedAsync(ReloadGateway gateway)
    {
        var (_, answer) = await RestGateway.GetAsync(gateway.Host.Client, "/api/v1/upstreams");
        return answer.ToString().Contains("\"drift\":", StringComparison.Ordinal);
    }

    /// <summary>Its clients see that the controller is away, and not that its nodes are.</summary>
    [Fact]
    public async Task Reload_UpstreamChanged_ItemsKeepTheirNodesAndHaveNoCommunicationMeanwhile()
    {
        await using var controller = await RunningGateway.StartAsync("--OpcUa:SecurityPolicies=None");
        await using var gateway = await ReloadGateway.StartAsync("{}", "--OpcUa:SecurityPolicies=None");
        var url = UrlOf(controller);
        await gateway.ApplyAsync(Upstreams(Named("Press", url)));
        await Condition.UntilAsync(() => IsServedAsync(gateway));
        var nodes = gateway.Host.Get<NodeTable>();
        Assert.True(nodes.Namespaces.TryGetIndex("urn:gateway:Press:urn:gateway:simulator", out var index));
        var node = nodes.Find(new NodeId("Int32", index));
        using var client = new UaClient(new ClientOptions { ConnectTimeout = Patience.Limit });
        await using var session = await client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = UrlOf(gateway.Host),
            SecurityPolicyUri = SecurityPolicies.None.Uri,
        });
        var seen = new Statuses();
        await WatchAsync(session, new NodeId("Int32", index), seen);
        await Condition.UntilAsync(() => seen.Last == StatusCode.Good);

        await gateway.ApplyAsync(Upstreams(Named("Press", url, intervalMs: 100)));
        await Condition.UntilAsync(() => seen.All.Contains(StatusCodes.BadNoCommunication));
        await Condition.UntilAsync(() => seen.Last == StatusCode.Good);

        Assert.DoesNotContain(StatusCodes.BadNodeIdUnknown, seen.All);
        Assert.Equal(node, nodes.Find(new NodeId("Int32", index)));
    }

    /// <summary>Another server by the same name: what it does not have goes.</summary>
    [Fact]
    public async Task Reload_UpstreamIsAnotherServer_NodesThatAreMissingGo()
    {
        await using var controller = await RunningGateway.StartAsync("--OpcUa:SecurityPolicies=None");
        await using var other = await RunningGateway.StartAsync(
            "--OpcUa:SecurityPolicies=None", "--Simulator:Enabled=false");
        await using var gateway = await ReloadGateway.StartAsync("{}");
        await gateway.ApplyAsync(Upstreams(Named("Press", UrlOf(controller))));
        await Condition.UntilAsync(() => IsServedAsync(gateway));

        await gateway.ApplyAsync(Upstreams(Named("Press", UrlOf(other))));

        await Condition.UntilAsync(async () => await StatusAsync(gateway) == "BadNodeIdUnknown");
    }

    /// <summary>With the metrics of one upstream those of all others went, for good.</summary>
    [Fact]
    public async Task Reload_OneUpstreamGoes_MetricsOfTheOthersStay()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");
        var one = Named("Stays", "opc.tcp://127.0.0.1:9");
        await gateway.ApplyAsync(Upstreams(one, Named("Goes", "opc.tcp://127.0.0.1:9")));
        await Condition.UntilAsync(async () => await IsShownAsync("Stays") && await IsShownAsync("Goes"));

        await gateway.ApplyAsync(Upstreams(one));

        await Condition.UntilAsync(async () => !await IsShownAsync("Goes"));
        Assert.True(await IsShownAsync("Stays"));

        async Task<bool> IsShownAsync(string name) => (await gateway.Host.Client.GetStringAsync("/metrics"))
            .Contains($"gateway_upstream_connected{{upstream=\"{name}\"}} 0", StringComparison.Ordinal);
    }

    /// <summary>A histogram keeps each series that it ever had.</summary>
    [Fact]
    public async Task Reload_OneUpstreamGoes_ItsRequestTimesGoToo()
    {
        await using var controller = await RunningGateway.StartAsync("--OpcUa:SecurityPolicies=None");
        await using var gateway = await ReloadGateway.StartAsync("{}");
        var stays = Named("Press", UrlOf(controller));
        await gateway.ApplyAsync(Upstreams(stays, Named("Leaves", UrlOf(controller))));
        await Condition.UntilAsync(async () => await IsShownAsync("Press") && await IsShownAsync("Leaves"));

        await gateway.ApplyAsync(Upstreams(stays));

        await Condition.UntilAsync(async () => !await IsShownAsync("Leaves"));
        await Condition.UntilAsync(async () => await IsServedAsync(gateway) && await IsShownAsync("Press"));

        async Task<bool> IsShownAsync(string name) => (await gateway.Host.Client.GetStringAsync("/metrics"))
            .Contains(
                $"gateway_upstream_request_duration_seconds_count{{upstream=\"{name}\"}}", StringComparison.Ordinal);
    }

    private static string UrlOf(RunningGateway gateway) =>
        $"opc.tcp://127.0.0.1:{gateway.Get<UaTcpOptions>().EndPoint.Port}";

    private static async Task WatchAsync(ClientSession session, NodeId node, Statuses seen)
    {
        var subscription = await session.CreateSubscriptionAsync(
            new SubscriptionSettings { PublishingIntervalMs = 50 }, seen);
        var created = await session.InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(
            new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscription.Id,
                ItemsToCreate =
                [
                    new MonitoredItemCreateRequest
                    {
                        ItemToMonitor = new ReadValueId { NodeId = node, AttributeId = (uint)AttributeId.Value },
                        MonitoringMode = MonitoringMode.Reporting,
                        RequestedParameters = new MonitoringParameters { QueueSize = 100, DiscardOldest = true },
                    },
                ],
            });
        Assert.Equal(StatusCode.Good, created.Results![0].StatusCode);
    }

    private static string Named(string name, string url, int intervalMs = 250) =>
        $$"""
        {
          "Name": "{{name}}", "EndpointUrl": "{{url}}", "SecurityPolicy": "None",
          "PublishingIntervalMs": {{intervalMs}}
        }
        """;

    private static string Upstreams(params string[] upstreams) => $"{{\"Upstreams\":[{string.Join(',', upstreams)}]}}";

    private static async Task<bool> IsServedAsync(ReloadGateway gateway)
    {
        return await StatusAsync(gateway) == "Good";
    }

    private static async Task<string?> StatusAsync(ReloadGateway gateway)
    {
        var (_, answer) = await RestGateway.GetAsync(gateway.Host.Client, RestGateway.Query("/api/v1/values", Tag));
        return answer.GetProperty("values")[0].GetProperty("status").GetString();
    }

    /// <summary>The statuses of all values of a subscription with one item.</summary>
    private sealed class Statuses : ISubscriptionHandler
    {
        private readonly ConcurrentQueue<StatusCode> _all = new();

        public IReadOnlyList<StatusCode> All => [.. _all];

        public StatusCode? Last => All.Count == 0 ? null : All[^1];

        public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
        {
            while (changes.TryRead(out _, out var value))
                _all.Enqueue(value.Status);
        }
    }
}
