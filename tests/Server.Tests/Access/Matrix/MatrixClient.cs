using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Access.Matrix;

/// <summary>One user on one channel, with the requests of the matrix.</summary>
internal sealed class MatrixClient(ServerFixture fixture, TestClient client)
{
    public static async Task<MatrixClient> ConnectAsync(ServerFixture fixture, string user, string mode)
    {
        var policy = mode == "None" ? SecurityPolicies.None : SecurityPolicies.Basic256Sha256;
        var client = fixture.Connect(policy, Enum.Parse<MessageSecurityMode>(mode));
        await client.CreateSessionAsync();
        var result = new MatrixClient(fixture, client);
        await result.BecomeAsync(user);
        return result;
    }

    public Task BecomeAsync(string user) => client.ActivateAsync(user == "anonymous" ? null : user);

    public async Task<DataValue> ReadAsync(NodeId node, AttributeId attribute) =>
        (await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = node, AttributeId = (uint)attribute }],
        })).Results!.Single();

    public async Task<StatusCode> WriteAsync(NodeId node, AttributeId attribute = AttributeId.Value, int value = 8) =>
        (await client.CallAsync<WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = node, AttributeId = (uint)attribute, Value = new DataValue(new Variant(value)),
                },
            ],
        })).Results!.Single();

    public async Task<StatusCode> CallAsync(NodeId on, NodeId method) =>
        (await client.CallAsync<CallResponse>(new CallRequest
        {
            MethodsToCall = [new CallMethodRequest { ObjectId = on, MethodId = method }],
        })).Results!.Single().StatusCode;

    public async Task<BrowseResult> BrowseAsync(
        NodeId node, BrowseDirection direction = BrowseDirection.Forward, NodeId type = default, uint maximum = 0) =>
        (await client.CallAsync<BrowseResponse>(new BrowseRequest
        {
            RequestedMaxReferencesPerNode = maximum,
            NodesToBrowse =
            [
                new BrowseDescription
                {
                    NodeId = node, BrowseDirection = direction, ReferenceTypeId = type, IncludeSubtypes = true,
                    ResultMask = 63,
                },
            ],
        })).Results!.Single();

    public async Task<BrowseResult> BrowseNextAsync(byte[] point) =>
        (await client.CallAsync<BrowseNextResponse>(
            new BrowseNextRequest { ContinuationPoints = [point] })).Results!.Single();

    /// <summary>Every target, one reference an answer.</summary>
    public async Task<HashSet<NodeId>> BrowseStepByStepAsync(NodeId node)
    {
        var found = new HashSet<NodeId>();
        var result = await BrowseAsync(node, maximum: 1);
        while (true)
        {
            Assert.Equal(StatusCode.Good, result.StatusCode);
            found.UnionWith(result.References!.Select(reference => reference.NodeId.NodeId));
            if (result.ContinuationPoint is null)
                return found;
            result = await BrowseNextAsync(result.ContinuationPoint);
        }
    }

    public async Task<StatusCode> TranslateAsync(NodeId start, QualifiedName name) =>
        (await client.CallAsync<TranslateBrowsePathsToNodeIdsResponse>(new TranslateBrowsePathsToNodeIdsRequest
        {
            BrowsePaths =
            [
                new BrowsePath
                {
                    StartingNode = start,
                    RelativePath = new RelativePath
                    {
                        Elements =
                        [
                            new RelativePathElement
                            {
                                ReferenceTypeId = new NodeId(33), IncludeSubtypes = true, TargetName = name,
                            },
                        ],
                    },
                },
            ],
        })).Results!.Single().StatusCode;

    public async Task<NodeId> RegisterAsync(NodeId node) =>
        (await client.CallAsync<RegisterNodesResponse>(
            new RegisterNodesRequest { NodesToRegister = [node] })).RegisteredNodeIds!.Single();

    public async Task<uint> SubscribeAsync() =>
        (await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 50,
            RequestedMaxKeepAliveCount = 1000,
            RequestedLifetimeCount = 10_000,
            PublishingEnabled = true,
        })).SubscriptionId;

    public async Task<MonitoredItemCreateResult> MonitorAsync(
        uint subscription, NodeId node, uint handle, AttributeId attribute = AttributeId.Value,
        MonitoringMode mode = MonitoringMode.Reporting, ExtensionObject filter = default) =>
        (await client.CallAsync<CreateMonitoredItemsResponse>(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            ItemsToCreate =
            [
                new MonitoredItemCreateRequest
                {
                    ItemToMonitor = new ReadValueId { NodeId = node, AttributeId = (uint)attribute },
                    MonitoringMode = mode,
                    RequestedParameters = new MonitoringParameters
                    {
                        ClientHandle = handle, QueueSize = 10, DiscardOldest = true, Filter = filter,
                    },
                },
            ],
        })).Results!.Single();

    public async Task<StatusCode> ModifyAsync(uint subscription, uint item, uint handle) =>
        (await client.CallAsync<ModifyMonitoredItemsResponse>(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            ItemsToModify =
            [
                new MonitoredItemModifyRequest
                {
                    MonitoredItemId = item,
                    RequestedParameters = new MonitoringParameters
                    {
                        ClientHandle = handle, QueueSize = 10, DiscardOldest = true,
                    },
                },
            ],
        })).Results!.Single().StatusCode;

    public async Task SetModeAsync(uint subscription, uint item, MonitoringMode mode) =>
        Assert.Equal(StatusCode.Good, (await client.CallAsync<SetMonitoringModeResponse>(new SetMonitoringModeRequest
        {
            SubscriptionId = subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item],
        })).Results!.Single());

    public async Task LinkAsync(uint subscription, uint triggering, uint triggered) =>
        Assert.Equal(StatusCode.Good, (await client.CallAsync<SetTriggeringResponse>(new SetTriggeringRequest
        {
            SubscriptionId = subscription,
            TriggeringItemId = triggering,
            LinksToAdd = [triggered],
        })).AddResults!.Single());

    public async Task<StatusCode> RepublishAsync(uint subscription, uint sequenceNumber) =>
        (await client.AnswerAsync<RepublishResponse>(client.Send(new RepublishRequest
        {
            SubscriptionId = subscription,
            RetransmitSequenceNumber = sequenceNumber,
        }))).Status;

    /// <summary>All notifications of the next message, by client handle; nothing is acknowledged.</summary>
    public async Task<(uint SequenceNumber, ILookup<uint, DataValue> Values)> PublishAsync()
    {
        var id = client.Send(new PublishRequest());
        fixture.Time.Advance(100);
        var (_, response) = await client.AnswerAsync<PublishResponse>(id);
        var message = response!.NotificationMessage;
        var changes = (message.NotificationData ?? [])
            .Select(data => data.Body).OfType<DataChangeNotification>().SelectMany(data => data.MonitoredItems!);
        return (message.SequenceNumber, changes.ToLookup(change => change.ClientHandle, change => change.Value));
    }
}
