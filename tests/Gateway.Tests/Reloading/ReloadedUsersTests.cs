using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Tests.Trust;
using Gateway.Transport.Hosting;

namespace Gateway.Tests.Reloading;

/// <summary>Users come, go and get other roles under sessions that stay.</summary>
public sealed class ReloadedUsersTests : IDisposable
{
    private const string Anna = """{"Name":"anna","Password":"horse","Roles":["Operator"]}""";
    private const string AnnaObserves = """{"Name":"anna","Password":"horse","Roles":["Observer"]}""";
    private const string Ben = """{"Name":"ben","Password":"horse","Roles":["Operator"]}""";

    private readonly PlantPki _pki = new();

    public void Dispose() => _pki.Dispose();

    [Fact]
    public async Task Reload_UserGone_HisSessionEndsAndTheOthersStay()
    {
        await using var gateway = await ReloadGateway.StartAsync(Users(Anna, Ben));
        using var crowd = CrowdOf(gateway);
        var anna = await OpenAsync(crowd, "anna");
        var ben = await OpenAsync(crowd, "ben");

        await gateway.ApplyAsync(Users(Ben));

        Assert.Equal(StatusCodes.BadSessionIdInvalid, await StatusOfReadAsync(anna));
        Assert.Equal(StatusCodes.Good, await StatusOfReadAsync(ben));
        await Assert.ThrowsAsync<ServiceException>(() => OpenAsync(crowd, "anna"));
    }

    /// <summary>He may have gone by mistake: what waits for him does not go with him.</summary>
    [Fact]
    public async Task Reload_UserGoneAndBack_HisDurableSubscriptionHasAllItsValues()
    {
        await using var gateway = await ReloadGateway.StartAsync(Users(Anna, Ben), "--Simulator:ChangesPerSecond=0");
        using var crowd = CrowdOf(gateway);
        var anna = await OpenAsync(crowd, "anna");
        var subscription = await SubscribeDurablyAsync(anna);
        for (var value = 1; value <= 3; value++)
            Assert.Equal(StatusCodes.Good, await StatusOfWriteAsync(anna, value));

        await gateway.ApplyAsync(Users(Ben));
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await StatusOfReadAsync(anna));
        var ben = await OpenAsync(crowd, "ben");
        Assert.Equal(StatusCodes.BadUserAccessDenied, await TransferAsync(ben, subscription));
        await gateway.ApplyAsync(Users(Anna, Ben));

        var back = await OpenAsync(crowd, "anna");
        Assert.Equal(StatusCodes.Good, await TransferAsync(back, subscription));
        var published = await back.InvokeAsync<PublishRequest, PublishResponse>(new PublishRequest());
        var changes = Assert.IsType<DataChangeNotification>(
            Assert.Single(published.NotificationMessage.NotificationData!).Body);
        Assert.Equal([1, 2, 3], changes.MonitoredItems!.Skip(1).Select(static item => item.Value.Value.AsInt32()));
    }

    [Fact]
    public async Task Reload_LesserRoles_TheSessionStaysAndMayNoMore()
    {
        await using var gateway = await ReloadGateway.StartAsync(Users(Anna));
        using var crowd = CrowdOf(gateway);
        var anna = await OpenAsync(crowd, "anna");
        Assert.Equal(StatusCodes.Good, await StatusOfWriteAsync(anna));

        await gateway.ApplyAsync(Users(AnnaObserves));

        Assert.Equal(StatusCodes.BadUserAccessDenied, await StatusOfWriteAsync(anna));
        Assert.Equal(StatusCodes.Good, await StatusOfReadAsync(anna));
        await gateway.ApplyAsync(Users(Anna));
        Assert.Equal(StatusCodes.Good, await StatusOfWriteAsync(anna));
    }

    [Fact]
    public async Task Reload_NewUser_MayLogIn()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");
        using var crowd = CrowdOf(gateway);

        await gateway.ApplyAsync(Users(Anna));

        Assert.Equal(StatusCodes.Good, await StatusOfWriteAsync(await OpenAsync(crowd, "anna")));
    }

    /// <summary>A password that was right before is known by its hash, and is not right any more.</summary>
    [Fact]
    public async Task Reload_AnotherPassword_TheOldOneIsWrong()
    {
        await using var gateway = await ReloadGateway.StartAsync(Users(Anna));
        using var crowd = CrowdOf(gateway);
        var before = await OpenAsync(crowd, "anna");

        await gateway.ApplyAsync(Users("""{"Name":"anna","Password":"other","Roles":["Operator"]}"""));

        await Assert.ThrowsAsync<ServiceException>(() => OpenAsync(crowd, "anna"));
        Assert.Equal(StatusCodes.Good, await StatusOfReadAsync(before));
    }

    private static string Users(params string[] users) => $"{{\"Users\":[{string.Join(',', users)}]}}";

    private static Crowd CrowdOf(ReloadGateway gateway) => new(gateway.Host.Get<UaTcpOptions>().EndPoint.Port);

    private async Task<ClientSession> OpenAsync(Crowd crowd, string user)
    {
        var member = _pki.Make(1)[0];
        var sessions = await crowd.OpenAsync([member], ClientIdentity.UserName(user, "horse"));
        return sessions[member];
    }

    private static async Task<uint> StatusOfReadAsync(ClientSession session) => await StatusOfAsync(async () =>
    {
        var response = await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = new NodeId(2256), AttributeId = (uint)AttributeId.Value }],
        });
        return response.Results![0].Status;
    });

    private static async Task<uint> SubscribeDurablyAsync(ClientSession session)
    {
        var subscription = (await session.InvokeAsync<CreateSubscriptionRequest, CreateSubscriptionResponse>(
            new CreateSubscriptionRequest { RequestedPublishingInterval = 100, PublishingEnabled = true }))
            .SubscriptionId;
        var set = await session.InvokeAsync<CallRequest, CallResponse>(new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest
                {
                    ObjectId = new NodeId(StandardIds.Objects.Server),
                    MethodId = new NodeId(StandardIds.Methods.Server_SetSubscriptionDurable),
                    InputArguments = [new Variant(subscription), new Variant(1u)],
                },
            ],
        });
        Assert.Equal(StatusCode.Good, set.Results![0].StatusCode);
        await session.InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(
            new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscription,
                ItemsToCreate =
                [
                    new MonitoredItemCreateRequest
                    {
                        ItemToMonitor = new ReadValueId
                        {
                            NodeId = new NodeId("Int32", 2), AttributeId = (uint)AttributeId.Value,
                        },
                        MonitoringMode = MonitoringMode.Reporting,
                        RequestedParameters = new MonitoringParameters { QueueSize = 100, DiscardOldest = true },
                    },
                ],
            });
        return subscription;
    }

    private static async Task<uint> TransferAsync(ClientSession session, uint subscription) =>
        (await session.InvokeAsync<TransferSubscriptionsRequest, TransferSubscriptionsResponse>(
            new TransferSubscriptionsRequest { SubscriptionIds = [subscription] })).Results![0].StatusCode.Code;

    private static Task<uint> StatusOfWriteAsync(ClientSession session, int value = 5) => StatusOfAsync(async () =>
    {
        var response = await session.InvokeAsync<WriteRequest, WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = new NodeId("Int32", 2), AttributeId = (uint)AttributeId.Value,
                    Value = new DataValue(new Variant(value)),
                },
            ],
        });
        return response.Results![0];
    });

    private static async Task<uint> StatusOfAsync(Func<Task<StatusCode>> work)
    {
        try
        {
            return (await work().WaitAsync(Patience.Limit)).CodeBits;
        }
        catch (ServiceException error)
        {
            return error.Status.CodeBits;
        }
    }
}
