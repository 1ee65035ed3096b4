using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Tests.Support;
using static Gateway.Codec.Types.StandardIds.Variables;

namespace Gateway.Server.Tests.ServerObject;

/// <summary>What the server says that it takes, it takes, and nothing more. Source: Part 5 §6.3.2, §6.3.11.</summary>
public sealed class AdvertisedLimitTests : IDisposable
{
    private const uint ServiceFaultId = 397;

    private readonly ServerFixture _fixture = new(
        options => options with
        {
            Limits = options.Limits with
            {
                MaxNodesPerRead = 11,
                MaxNodesPerWrite = 12,
                MaxNodesPerBrowse = 13,
                MaxNodesPerMethodCall = 14,
                MaxNodesPerTranslateBrowsePathsToNodeIds = 15,
                MaxNodesPerRegisterNodes = 16,
                MaxRequestMessageSizeBytes = 2000,
                MaxSessions = 2,
            },
        },
        publish: new PublishLimits
        {
            MaxMonitoredItemsPerCall = 17,
            MaxSubscriptionsPerSession = 2,
            MaxMonitoredItemsPerSubscription = 5,
            MaxMonitoredItemsQueueSize = 7,
        });

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(Server_ServerCapabilities_OperationLimits_MaxNodesPerRead, "Read")]
    [InlineData(Server_ServerCapabilities_OperationLimits_MaxNodesPerWrite, "Write")]
    [InlineData(Server_ServerCapabilities_OperationLimits_MaxNodesPerBrowse, "Browse")]
    [InlineData(Server_ServerCapabilities_OperationLimits_MaxNodesPerMethodCall, "Call")]
    [InlineData(
        Server_ServerCapabilities_OperationLimits_MaxNodesPerTranslateBrowsePathsToNodeIds, "Translate")]
    [InlineData(Server_ServerCapabilities_OperationLimits_MaxNodesPerRegisterNodes, "Register")]
    [InlineData(Server_ServerCapabilities_OperationLimits_MaxMonitoredItemsPerCall, "Items")]
    public async Task OperationLimit_Advertised_IsTakenAndOneMoreIsRefused(uint node, string service)
    {
        var client = await _fixture.ConnectAsync();
        var subscription = await SubscribeAsync(client);
        var limit = (int)(await ReadAsync(client, node)).AsUInt32();
        IServiceRequest Request(int operations) => service switch
        {
            "Read" => TestRequests.Read(operations),
            "Write" => TestRequests.Write(operations),
            "Browse" => TestRequests.Browse(operations),
            "Call" => TestRequests.Call(operations),
            "Translate" => TestRequests.Translate(operations),
            "Register" => TestRequests.Register(operations),
            _ => TestRequests.Items(subscription, operations),
        };

        Assert.NotEqual(ServiceFaultId, await AnswerIdAsync(client, Request(limit)));
        Assert.Equal(StatusCodes.BadTooManyOperations, await client.FaultAsync(Request(limit + 1)));
    }

    [Fact]
    public async Task SubscriptionsPerSession_Advertised_AreGivenAndNoMore()
    {
        var client = await _fixture.ConnectAsync();
        var limit = (await ReadAsync(client, Server_ServerCapabilities_MaxSubscriptionsPerSession)).AsUInt32();
        Assert.Equal(2u, limit);
        for (var i = 0; i < limit; i++)
            await SubscribeAsync(client);
        Assert.Equal(StatusCodes.BadTooManySubscriptions, await client.FaultAsync(new CreateSubscriptionRequest()));
    }

    [Fact]
    public async Task ItemsPerSubscriptionAndQueueSize_Advertised_AreGivenAndNoMore()
    {
        var client = await _fixture.ConnectAsync();
        var items = (await ReadAsync(client, Server_ServerCapabilities_MaxMonitoredItemsPerSubscription)).AsUInt32();
        var queue = (await ReadAsync(client, Server_ServerCapabilities_MaxMonitoredItemsQueueSize)).AsUInt32();
        Assert.Equal((5u, 7u), (items, queue));
        var created = await client.CallAsync<CreateMonitoredItemsResponse>(new CreateMonitoredItemsRequest
        {
            SubscriptionId = await SubscribeAsync(client),
            ItemsToCreate = [.. Enumerable.Repeat(Item(queue + 1), (int)items + 1)],
        });
        Assert.All(created.Results!.Take((int)items), one => Assert.Equal(queue, one.RevisedQueueSize));
        Assert.Equal(StatusCodes.BadTooManyMonitoredItems, created.Results![(int)items].StatusCode);
    }

    [Fact]
    public async Task Sessions_Advertised_AreGivenAndNoMore()
    {
        var clients = new[] { await _fixture.ConnectAsync(), await _fixture.ConnectAsync() };
        Assert.Equal(2u, (await ReadAsync(clients[0], Server_ServerCapabilities_MaxSessions)).AsUInt32());
        var third = _fixture.Connect();
        Assert.True((await third.FaultAsync(third.NewSession())).IsBad);
    }

    [Fact]
    public async Task RequestSize_ToldByCreateSession_IsTakenAndNoMore()
    {
        var client = await _fixture.ConnectAsync();
        var limit = (int)client.Session!.MaxRequestMessageSize;
        Assert.Equal(2000, limit);
        var spare = limit - TestClient.Encode(Request("", client)).Length;
        var fits = await client.CallAsync<ReadResponse>(Request(new string('x', spare), client));
        Assert.Equal(StatusCodes.BadNodeIdUnknown, fits.Results![0].Status);
        Assert.Equal(
            StatusCodes.BadRequestTooLarge, await client.FaultAsync(Request(new string('x', spare + 1), client)));
    }

    private static async Task<uint> AnswerIdAsync(TestClient client, IServiceRequest request)
    {
        var reader = new UaBinaryReader(await client.Link.AnswerAsync(client.Send(request)));
        return reader.ReadNodeId().Numeric;
    }

    private static ReadRequest Request(string id, TestClient client)
    {
        var request = TestRequests.Read(1, new NodeId(id, 1));
        request.RequestHeader = new RequestHeader
        {
            AuthenticationToken = client.Token,
            AuditEntryId = "audit",
        };
        return request;
    }

    private static MonitoredItemCreateRequest Item(uint queueSize) => new()
    {
        ItemToMonitor = new ReadValueId { NodeId = TestPlant.Int32, AttributeId = (uint)AttributeId.Value },
        MonitoringMode = MonitoringMode.Reporting,
        RequestedParameters = new MonitoringParameters { QueueSize = queueSize },
    };

    private static async Task<uint> SubscribeAsync(TestClient client) =>
        (await client.CallAsync<CreateSubscriptionResponse>(
            new CreateSubscriptionRequest { RequestedPublishingInterval = 1000 })).SubscriptionId;

    private static async Task<Variant> ReadAsync(TestClient client, uint node)
    {
        var response = await client.CallAsync<ReadResponse>(TestRequests.Read(1, new NodeId(node)));
        return response.Results![0].Value;
    }
}
