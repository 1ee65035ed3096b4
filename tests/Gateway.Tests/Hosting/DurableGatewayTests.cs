using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Host.Configuration;
using Gateway.Host.Overview;
using Gateway.Publish;
using Gateway.Publish.Durable;
using Gateway.Rest.Overview;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Tests.Hosting;

/// <summary>Durable subscriptions in the whole gateway: where they lie, and that an end in order loses none.</summary>
public sealed class DurableGatewayTests : IDisposable
{
    private static readonly SessionOwner Owner = new("UserName:operator", false, "urn:client", true);

    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Stop_QueuedValues_AreInTheNextGateway()
    {
        uint subscription;
        await using (var gateway = await StartAsync())
        {
            var session = gateway.Get<PublishEngine>().OpenSession(new Client(), new Client(), Owner);
            subscription = session.CreateSubscription(new CreateSubscriptionRequest()).SubscriptionId;
            Assert.Equal(StatusCode.Good, session.SetSubscriptionDurable(subscription, 1, out _));
            var created = session.CreateMonitoredItems(new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscription,
                ItemsToCreate = [Item(gateway)],
            });
            Assert.Equal(StatusCode.Good, created.Results![0].StatusCode);
            for (var i = 1; i <= 20; i++)
                gateway.Get<ValueStore>().Set(Node(gateway), new DataValue(new Variant(i)));
            await gateway.StopAsync();
        }

        await using var next = await StartAsync();
        Assert.Equal(1, next.Get<DurableSubscriptions>().Restored);
        var report = next.Get<PublishEngine>().ReadWatchers(Node(next));
        // The value when the item was made, twenty changes, and the plant's value of this start.
        Assert.Equal((1, 22L), (report.Items, report.Queued));
        var heir = next.Get<PublishEngine>().OpenSession(new Client(), new Client(), Owner);
        var transfer = heir.TransferSubscriptions(
            new TransferSubscriptionsRequest { SubscriptionIds = [subscription] });
        Assert.Equal(StatusCode.Good, transfer.Results![0].StatusCode);
    }

    [Fact]
    public async Task Start_ByDefault_FolderIsBelowThePkiAndPrivate()
    {
        await using var gateway = await StartAsync();
        var folder = Path.Combine(_folder, "durable");
        Assert.True(Directory.Exists(folder));
        if (!OperatingSystem.IsWindows())
            Assert.Equal(
                UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute,
                File.GetUnixFileMode(folder));
        Assert.True(HasMethod(gateway));
    }

    [Fact]
    public async Task Start_SwitchedOff_MethodIsNotThere()
    {
        await using var gateway = await StartAsync("--Durable:Enabled=false");
        Assert.False(HasMethod(gateway));
        Assert.False(Directory.Exists(Path.Combine(_folder, "durable")));
        Assert.Equal(TimeSpan.Zero, gateway.Get<DurableSubscriptions>().UnsavedTime);
    }

    [Fact]
    public async Task Start_AnotherGatewayHasTheFolder_WaitsForItsEnd()
    {
        var path = $"--Durable:Path={Path.Combine(_folder, "mine")}";
        await using var first = await StartAsync(path);
        await using var second = await StartAsync(path, $"--Pki:Path={Path.Combine(_folder, "other")}");
        var durable = second.Get<DurableSubscriptions>();
        Assert.True(durable.DiskErrors > 0);
        Assert.Single(Notices(second), static notice => notice.Subject == "durable");
        await first.StopAsync();
        await first.DisposeAsync();
        durable.Save();
        Assert.DoesNotContain(Notices(second), static notice => notice.Subject == "durable");
        var session = second.Get<PublishEngine>().OpenSession(new Client(), new Client(), Owner);
        var subscription = session.CreateSubscription(new CreateSubscriptionRequest()).SubscriptionId;
        Assert.Equal(StatusCode.Good, session.SetSubscriptionDurable(subscription, 1, out _));
    }

    [Fact]
    public void Path_IsAFile_IsAnError()
    {
        var file = Path.Combine(_folder, "file");
        File.WriteAllText(file, "");
        var options = new GatewayOptions(new ConfigurationSource([$"--Durable:Path={file}"]).Read());
        Assert.Contains(
            options.FindErrors(), static error => error.StartsWith("Durable:Path: ", StringComparison.Ordinal));
    }

    private async Task<WebApplication> StartAsync(params string[] options)
    {
        var gateway = Composition.Build(
            TimeProvider.System, ["--demo", $"--Pki:Path={_folder}", "--Simulator:ChangesPerSecond=0", .. options]);
        await gateway.StartAsync();
        return gateway;
    }

    private static IEnumerable<Notice> Notices(WebApplication gateway) =>
        gateway.Services.GetServices<INoticeSource>().SelectMany(static source => source.Read());

    private static bool HasMethod(WebApplication gateway) => !gateway.Get<NodeTable>().Find(new NodeId(12749)).IsNone;

    private static NodeHandle Node(WebApplication gateway) => gateway.Get<NodeTable>().Find(new NodeId("Int32", 2));

    private static MonitoredItemCreateRequest Item(WebApplication gateway) => new()
    {
        ItemToMonitor = new ReadValueId
        {
            NodeId = gateway.Get<NodeTable>().GetNodeId(Node(gateway)),
            AttributeId = (uint)AttributeId.Value,
        },
        MonitoringMode = MonitoringMode.Reporting,
        RequestedParameters = new MonitoringParameters { QueueSize = 100, DiscardOldest = true },
    };

    private sealed class Client : INotificationOutput, IItemAccess
    {
        public int MaxResponseSizeBytes => 0;

        public StatusCode Send(PooledBuffer message, uint requestId) => StatusCode.Good;

        public void Flush()
        {
        }

        public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) => StatusCode.Good;
    }
}
