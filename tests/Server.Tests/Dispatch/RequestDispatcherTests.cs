using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Dispatch;

public sealed class RequestDispatcherTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    public static TheoryData<IServiceRequest> Requests =>
    [
        new FindServersRequest { ServerUris = ["a"] },
        new GetEndpointsRequest { EndpointUrl = "opc.tcp://x" },
        new CreateSessionRequest { SessionName = "x", ClientNonce = new byte[32] },
        new ActivateSessionRequest { LocaleIds = ["en"] },
        new CancelRequest { RequestHandle = 1 },
        new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = TestPlant.Int32, AttributeId = 13, IndexRange = "1" }],
        },
        new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue { NodeId = TestPlant.Int32, AttributeId = 13, Value = new DataValue(new Variant("x")) },
            ],
        },
        new BrowseRequest { NodesToBrowse = [new BrowseDescription { NodeId = TestPlant.Folder }] },
        new BrowseNextRequest { ContinuationPoints = [new byte[16]] },
        new TranslateBrowsePathsToNodeIdsRequest
        {
            BrowsePaths =
            [
                new BrowsePath
                {
                    StartingNode = TestPlant.Folder,
                    RelativePath = new RelativePath { Elements = [new RelativePathElement { IncludeSubtypes = true }] },
                },
            ],
        },
        new RegisterNodesRequest { NodesToRegister = [TestPlant.Int32] },
        new UnregisterNodesRequest { NodesToUnregister = [TestPlant.Int32] },
        new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest { ObjectId = TestPlant.Methods, InputArguments = [new Variant(1)] },
            ],
        },
        new CreateSubscriptionRequest { RequestedPublishingInterval = 1000 },
        new ModifySubscriptionRequest { SubscriptionId = 1 },
        new SetPublishingModeRequest { SubscriptionIds = [1] },
        new DeleteSubscriptionsRequest { SubscriptionIds = [1] },
        new PublishRequest { SubscriptionAcknowledgements = [new SubscriptionAcknowledgement { SubscriptionId = 1 }] },
        new RepublishRequest { SubscriptionId = 1 },
        new CreateMonitoredItemsRequest
        {
            ItemsToCreate =
            [
                new MonitoredItemCreateRequest { ItemToMonitor = new ReadValueId { NodeId = TestPlant.Int32 } },
            ],
        },
        new ModifyMonitoredItemsRequest { ItemsToModify = [new MonitoredItemModifyRequest { MonitoredItemId = 1 }] },
        new SetMonitoringModeRequest { MonitoredItemIds = [1] },
        new SetTriggeringRequest { LinksToAdd = [1], LinksToRemove = [2] },
        new DeleteMonitoredItemsRequest { MonitoredItemIds = [1] },
    ];

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task AnyRequest_CutAtEachByte_IsAnsweredByAFault(IServiceRequest request)
    {
        var client = await _fixture.ConnectAsync();
        request.RequestHeader = new RequestHeader { AuthenticationToken = client.Token, RequestHandle = 7 };
        var message = TestClient.Encode(request);
        for (var length = 0; length < message.Length; length++)
        {
            var status = await client.FaultAsync(client.SendRaw(message.AsSpan(0, length)));
            Assert.True(status.IsBad, $"{request.GetType().Name} cut at {length} of {message.Length}: {status}");
            Assert.NotEqual(StatusCodes.BadInternalError, status);
        }
    }

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task AnyRequest_EachByteChanged_NothingEscapes(IServiceRequest request)
    {
        var client = await _fixture.ConnectAsync();
        request.RequestHeader = new RequestHeader { AuthenticationToken = client.Token, RequestHandle = 7 };
        var message = TestClient.Encode(request);
        for (var position = 0; position < message.Length; position++)
        {
            foreach (var change in new byte[] { 0x01, 0x80, 0xFF })
            {
                var bent = message.ToArray();
                bent[position] ^= change;
                client.SendRaw(bent);
            }
        }

        Assert.Equal(0, _fixture.Server.Counters.FaultsOf(StatusCodes.BadInternalError));
        var alive = await _fixture.ConnectAsync();
        Assert.Equal(StatusCodes.BadNothingToDo, await alive.FaultAsync(new ReadRequest()));
    }

    [Fact]
    public async Task UnknownService_Any_BadServiceUnsupported()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(StatusCodes.BadServiceUnsupported, await client.FaultAsync(new QueryFirstRequest()));
        Assert.Equal(StatusCodes.BadServiceUnsupported, await client.FaultAsync(new HistoryReadRequest()));
        Assert.Equal(StatusCodes.BadServiceUnsupported, await client.FaultAsync(new AddNodesRequest()));
        Assert.Equal(3, _fixture.Server.Counters.UnknownServices);
        Assert.Equal(3, _fixture.Server.Counters.FaultsOf(StatusCodes.BadServiceUnsupported));
    }

    [Fact]
    public async Task Fault_Always_CarriesHandleAndTime()
    {
        var client = _fixture.Connect();
        var id = client.Send(new ReadRequest(), requestHandle: 4711);
        var (_, fault) = await client.AnswerAsync<ServiceFault>(id);
        Assert.Equal(4711u, fault!.ResponseHeader.RequestHandle);
        Assert.Equal(_fixture.Time.GetUtcNow().UtcDateTime, fault.ResponseHeader.Timestamp);
        Assert.Equal(StatusCodes.BadSessionIdInvalid, fault.ResponseHeader.ServiceResult);
        Assert.Null(fault.ResponseHeader.ServiceDiagnostics);
    }

    [Fact]
    public async Task AllServices_EmptyRequest_AnswerOnceEach()
    {
        var client = await _fixture.ConnectAsync();
        IServiceRequest[] empty =
        [
            new ReadRequest(), new WriteRequest(), new BrowseRequest(), new BrowseNextRequest(), new CallRequest(),
            new TranslateBrowsePathsToNodeIdsRequest(), new RegisterNodesRequest(), new UnregisterNodesRequest(),
            new SetPublishingModeRequest(), new DeleteSubscriptionsRequest(), new CreateMonitoredItemsRequest(),
            new ModifyMonitoredItemsRequest(), new SetMonitoringModeRequest(), new SetTriggeringRequest(),
            new DeleteMonitoredItemsRequest(),
        ];
        foreach (var request in empty)
            Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(request));
        Assert.Equal(StatusCodes.BadNoSubscription, await client.FaultAsync(new PublishRequest()));
        Assert.True((await client.FaultAsync(new RepublishRequest())).IsBad);
        Assert.True((await client.FaultAsync(new ModifySubscriptionRequest())).IsBad);
    }
}
