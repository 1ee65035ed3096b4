using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Publish.Durable;
using Gateway.Testing;
using Gateway.Tests.Clock;
using Gateway.Tests.Trust;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Microsoft.AspNetCore.Builder;

namespace Gateway.Tests.Hosting;

/// <summary>A client activates its session again behind a restart of the gateway, and has its durable subscription with
/// all that waits in it. Source: Part 4 §6.8.</summary>
public sealed class RestartedSessionTests : IDisposable
{
    private static readonly ClientIdentity User = ClientIdentity.UserName("operator", "horse");

    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;
    private readonly TrustingClient _client = new();
    private readonly TrustingClient _other = new();

    public void Dispose()
    {
        _client.Dispose();
        _other.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Restart_ClientActivatesAgain_SameSessionAndEveryValue(bool isInOrder)
    {
        ClientSession lost;
        uint subscription;
        var folder = _folder;
        await using (var gateway = await StartAsync(folder))
        {
            lost = await ConnectAsync(gateway);
            subscription = await SubscribeAsync(lost);
            await MonitorAsync(gateway, lost, subscription);
            for (var i = 1; i <= 20; i++)
                gateway.Get<ValueStore>().Set(Node(gateway), new DataValue(new Variant(i)));
            // The value when the item was made, and twenty changes.
            await Condition.UntilAsync(
                () => gateway.Get<PublishEngine>().ReadWatchers(Node(gateway)).Queued == 21);
            if (isInOrder)
                await gateway.StopAsync();
            else
                folder = SaveAndCopy(gateway);
        }

        await lost.Closed.WaitAsync(Patience.Limit);
        await using var next = await StartAsync(folder);
        Assert.Equal(1, next.Get<DurableSubscriptions>().Restored);
        Assert.Equal(1, next.Get<PublishEngine>().RestoredSessions.Count);
        var resumed = await _client.Ua.ResumeAsync(lost, SettingsOf(next));

        Assert.Equal(ResumeKind.SameSession, resumed.Kind);
        var session = resumed.Session;
        Assert.Equal(lost.SessionId, session.SessionId);
        var values = await TakeAsync(session, subscription, last: 20);
        Assert.Equal(Enumerable.Range(1, 20), values.Where(static value => value > 0).Take(20));
        Assert.Equal(0, next.Get<PublishEngine>().RestoredSessions.Count);
        // It is a session like others: it has its subscription, and ends with it.
        await session.CloseAsync(deleteSubscriptions: true);
        next.Get<DurableSubscriptions>().Save();
        Assert.Equal(0, next.Get<PublishEngine>().DurableUse.Subscriptions);
    }

    [Fact]
    public async Task Restart_Twice_SessionStillWaits()
    {
        var lost = await LeaveAsync();
        await using (var between = await StartAsync(_folder))
            await between.StopAsync();

        await using var next = await StartAsync(_folder);

        Assert.Equal(ResumeKind.SameSession, (await _client.Ua.ResumeAsync(lost, SettingsOf(next))).Kind);
    }

    [Fact]
    public async Task Restart_AnotherUserOrCertificate_GetsNothingOfIt()
    {
        var (first, second) = (await LeaveAsync(), await LeaveAsync());
        await using var next = await StartAsync(_folder);

        var engineer = SettingsOf(next) with { Identity = ClientIdentity.UserName("engineer", "horse") };
        var byOther = await _other.Ua.ResumeAsync(first, SettingsOf(next));
        var byEngineer = await _client.Ua.ResumeAsync(second, engineer);

        Assert.NotEqual(ResumeKind.SameSession, byOther.Kind);
        Assert.NotEqual(ResumeKind.SameSession, byEngineer.Kind);
        Assert.Equal(2, next.Get<PublishEngine>().RestoredSessions.Count);
        Assert.Equal(2, next.Get<PublishEngine>().DurableUse.Subscriptions);
    }

    /// <summary>What the client has taken over meanwhile stays where it is.</summary>
    [Fact]
    public async Task Restart_SubscriptionIsTakenOverFirst_StaysWithThatSession()
    {
        var subscription = 0u;
        var lost = await LeaveAsync(left => subscription = left);
        await using var next = await StartAsync(_folder);
        await using var heir = await ConnectAsync(next);
        var taken = await heir.InvokeAsync<TransferSubscriptionsRequest, TransferSubscriptionsResponse>(
            new TransferSubscriptionsRequest { SubscriptionIds = [subscription] });
        Assert.Equal(StatusCode.Good, taken.Results![0].StatusCode);

        var resumed = await _client.Ua.ResumeAsync(lost, SettingsOf(next));

        Assert.Equal(ResumeKind.SameSession, resumed.Kind);
        var deleted = await heir.InvokeAsync<DeleteSubscriptionsRequest, DeleteSubscriptionsResponse>(
            new DeleteSubscriptionsRequest { SubscriptionIds = [subscription] });
        Assert.Equal(StatusCode.Good, deleted.Results![0]);
    }

    /// <summary>A client that is told that its session is closed does not come back to it.</summary>
    [Fact]
    public async Task Stop_HeldPublish_IsNotToldThatItsSessionIsClosed()
    {
        Task<PublishResponse>? held = null;
        await LeaveAsync(before: session =>
        {
            held = session.InvokeAsync<PublishRequest, PublishResponse>(new PublishRequest()).AsTask();
            return Task.CompletedTask;
        });

        var failure = await Assert.ThrowsAsync<ServiceException>(() => held!);

        Assert.NotEqual(StatusCodes.BadSessionClosed, failure.Status.Code);
    }

    /// <summary>Without a signature the kept nonce would do twice.</summary>
    [Fact]
    public async Task Restart_WithoutSecurity_SessionIsGone()
    {
        await LeaveAsync(security: SecurityPolicies.None.Uri);

        await using var next = await StartAsync(_folder);

        Assert.Equal(1, next.Get<DurableSubscriptions>().Restored);
        Assert.Equal(0, next.Get<PublishEngine>().RestoredSessions.Count);
    }

    /// <summary>It has to make its other subscription anew, and a session with it.</summary>
    [Fact]
    public async Task Restart_WithAnOrdinarySubscription_SessionIsGone()
    {
        var lost = await LeaveAsync(before: async session => await session.InvokeAsync<
            CreateSubscriptionRequest, CreateSubscriptionResponse>(new CreateSubscriptionRequest()));
        await using var next = await StartAsync(_folder);

        Assert.Equal(0, next.Get<PublishEngine>().RestoredSessions.Count);
        Assert.NotEqual(ResumeKind.SameSession, (await _client.Ua.ResumeAsync(lost, SettingsOf(next))).Kind);
    }

    [Fact]
    public async Task Restart_ClosedByItsClient_SessionIsGone()
    {
        await LeaveAsync(before: static async session => await session.CloseAsync(deleteSubscriptions: false));

        await using var next = await StartAsync(_folder);

        Assert.Equal(1, next.Get<DurableSubscriptions>().Restored);
        Assert.Equal(0, next.Get<PublishEngine>().RestoredSessions.Count);
    }

    /// <summary>Its token lies on no disk.</summary>
    [Fact]
    public async Task Save_Session_TokenIsNotInTheFile()
    {
        await using var gateway = await StartAsync(_folder);
        var session = await ConnectAsync(gateway);
        await SubscribeAsync(session);
        gateway.Get<DurableSubscriptions>().Save();

        var request = new ReadRequest();
        await Assert.ThrowsAsync<ServiceException>(
            () => session.InvokeAsync<ReadRequest, ReadResponse>(request).AsTask());
        var token = request.RequestHeader.AuthenticationToken.Guid;
        var file = Assert.Single(Directory.GetFiles(Path.Combine(_folder, "durable"), "*.sub"));
        var bytes = await File.ReadAllBytesAsync(file);
        Assert.NotEqual(Guid.Empty, token);
        Assert.True(bytes.AsSpan().IndexOf(session.SessionId.Guid.ToByteArray()) > 0);
        Assert.Equal(-1, bytes.AsSpan().IndexOf(token.ToByteArray()));
    }

    private async Task<WebApplication> StartAsync(string folder)
    {
        var gateway = Composition.Build(
            TimeProvider.System,
            [
                "--demo", $"--Pki:Path={folder}", "--Simulator:ChangesPerSecond=0", "--Shutdown:AnnounceSeconds=0",
                // Only the saves that the test asks for, and the last one.
                "--Limits:DurableSaveInterval=01:00:00",
                "--OpcUa:SecurityPolicies:0=Basic256Sha256", "--OpcUa:SecurityPolicies:1=None",
                "--Users:0:Name=operator", "--Users:0:Password=horse", "--Users:0:Roles:0=Operator",
                "--Users:1:Name=engineer", "--Users:1:Password=horse", "--Users:1:Roles:0=Engineer",
            ]);
        await gateway.StartAsync();
        return gateway;
    }

    /// <summary>As a process that is killed leaves it: another gateway has the folder still.</summary>
    private string SaveAndCopy(WebApplication gateway)
    {
        gateway.Get<DurableSubscriptions>().Save();
        var copy = Path.Combine(_folder, "copy");
        // Others say that a folder is in use.
        foreach (var file in Directory.GetFiles(_folder, "*", SearchOption.AllDirectories)
            .Where(static file => Path.GetExtension(file) is ".sub" or ".der" or ".pem"))
        {
            var target = Path.Combine(copy, Path.GetRelativePath(_folder, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }

        return copy;
    }

    /// <summary>A session with a durable subscription that a gateway in order has left.</summary>
    private async Task<ClientSession> LeaveAsync(
        Action<uint>? onSubscribed = null, Func<ClientSession, Task>? before = null, string? security = null)
    {
        await using var gateway = await StartAsync(_folder);
        var session = await _client.Ua.ConnectAsync(SettingsOf(gateway) with
        {
            SecurityPolicyUri = security,
            AllowInsecureCredentials = security is not null,
        });
        var subscription = await SubscribeAsync(session);
        onSubscribed?.Invoke(subscription);
        if (before is not null)
            await before(session);
        await gateway.StopAsync();
        await session.Closed.WaitAsync(Patience.Limit);
        return session;
    }

    private Task<ClientSession> ConnectAsync(WebApplication gateway) =>
        _client.Ua.ConnectAsync(SettingsOf(gateway)).AsTask();

    private static ConnectSettings SettingsOf(WebApplication gateway) => new()
    {
        EndpointUrl = $"opc.tcp://127.0.0.1:{gateway.Get<UaTcpOptions>().EndPoint.Port}",
        Identity = User,
    };

    private static async Task<uint> SubscribeAsync(ClientSession session)
    {
        var made = await session.InvokeAsync<CreateSubscriptionRequest, CreateSubscriptionResponse>(
            new CreateSubscriptionRequest
            {
                RequestedPublishingInterval = 100,
                RequestedLifetimeCount = 10_000,
                RequestedMaxKeepAliveCount = 10,
                PublishingEnabled = true,
            });
        var answer = await session.InvokeAsync<CallRequest, CallResponse>(new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest
                {
                    ObjectId = new NodeId(2253),
                    MethodId = new NodeId(12749),
                    InputArguments = [new Variant(made.SubscriptionId), new Variant(1u)],
                },
            ],
        });
        Assert.Equal(StatusCode.Good, answer.Results![0].StatusCode);
        return made.SubscriptionId;
    }

    private static async Task MonitorAsync(WebApplication gateway, ClientSession session, uint subscription)
    {
        var answer = await session.InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(
            new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscription,
                ItemsToCreate =
                [
                    new MonitoredItemCreateRequest
                    {
                        ItemToMonitor = new ReadValueId
                        {
                            NodeId = gateway.Get<NodeTable>().GetNodeId(Node(gateway)),
                            AttributeId = (uint)AttributeId.Value,
                        },
                        MonitoringMode = MonitoringMode.Reporting,
                        RequestedParameters = new MonitoringParameters { QueueSize = 100, DiscardOldest = true },
                    },
                ],
            });
        Assert.Equal(StatusCode.Good, answer.Results![0].StatusCode);
    }

    private static async Task<List<int>> TakeAsync(ClientSession session, uint subscription, int last)
    {
        var values = new List<int>();
        while (!values.Contains(last))
        {
            var answer = await session.InvokeAsync<PublishRequest, PublishResponse>(new PublishRequest());
            Assert.Equal(subscription, answer.SubscriptionId);
            foreach (var data in answer.NotificationMessage.NotificationData ?? [])
                values.AddRange(Assert.IsType<DataChangeNotification>(data.Body).MonitoredItems!
                    .Select(static item => item.Value.Value.AsInt32()));
        }

        return values;
    }

    private static NodeHandle Node(WebApplication gateway) => gateway.Get<NodeTable>().Find(new NodeId("Int32", 2));
}
