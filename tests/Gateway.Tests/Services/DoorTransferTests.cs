using System.Text.Json;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Host.Configuration;
using Gateway.Testing;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Services;

/// <summary>A subscription goes from a session of one door to a session of another, if both are the same user's.
/// </summary>
[Collection(RestFixture.Name)]
public sealed class DoorTransferTests(RestFixture fixture) : IDisposable
{
    private const string Node = "ns=2;s=ReadOnly";

    private readonly RestGateway _gateway = fixture.Gateway;
    private readonly UaClient _client = new(new ClientOptions { ConnectTimeout = Patience.Limit });

    public static TheoryData<string> BinaryDoors => ["opc.tcp", "opc.ws"];

    public void Dispose() => _client.Dispose();

    [Theory]
    [MemberData(nameof(BinaryDoors))]
    public async Task Transfer_FromTheBinaryDoorToHttp_GoesOnThere(string scheme)
    {
        await using var binary = await ConnectAsync(scheme, "operator");
        var id = await SubscribeAsync(binary);
        var http = await ServiceSession.OpenAsync(_gateway.Operator);

        var transferred = await http.CallAsync(
            "transfersubscriptions", $"\"SubscriptionIds\":[{id}],\"SendInitialValues\":true");

        Assert.Equal(0u, transferred.GetProperty("Results")[0].CodeOf("StatusCode"));
        var published = await http.CallAsync("publish");
        Assert.Equal(id, published.GetProperty("SubscriptionId").GetUInt32());
        Assert.Equal(42, FirstOf(published).GetProperty("Value").GetProperty("Value").GetInt32());
        var told = (await PublishAsync(binary)).NotificationMessage.NotificationData![0].Body;
        Assert.Equal(
            StatusCodes.GoodSubscriptionTransferred, Assert.IsType<StatusChangeNotification>(told).Status.Code);
        await http.CallAsync("closesession", "\"DeleteSubscriptions\":true");
    }

    [Theory]
    [MemberData(nameof(BinaryDoors))]
    public async Task Transfer_FromHttpToTheBinaryDoor_GoesOnThere(string scheme)
    {
        var http = await ServiceSession.OpenAsync(_gateway.Operator);
        var id = await http.SubscribeAsync(Node);
        await using var binary = await ConnectAsync(scheme, "operator");

        Assert.Equal(StatusCode.Good, (await TransferAsync(binary, id)).StatusCode);
        var published = await PublishAsync(binary);
        Assert.Equal(id, published.SubscriptionId);
        var data = Assert.IsType<DataChangeNotification>(published.NotificationMessage.NotificationData![0].Body);
        Assert.Equal((5u, "42"), (data.MonitoredItems![0].ClientHandle, data.MonitoredItems[0].Value.Value.ToString()));
        var told = await http.CallAsync("publish");
        Assert.Equal(
            StatusCodes.GoodSubscriptionTransferred,
            told.GetProperty("NotificationMessage").GetProperty("NotificationData")[0].CodeOf("Status"));
        await http.CallAsync("closesession");
    }

    /// <summary>Part 4 §5.14.7: whoever may not have it learns so, and its owner keeps it.</summary>
    [Theory]
    [MemberData(nameof(BinaryDoors))]
    public async Task Transfer_OfAnotherUser_IsRefusedAndNothingChanges(string scheme)
    {
        var http = await ServiceSession.OpenAsync(_gateway.Operator);
        var id = await http.SubscribeAsync(Node);
        await using var binary = await ConnectAsync(scheme, "engineer");

        Assert.Equal(StatusCodes.BadUserAccessDenied, (await TransferAsync(binary, id)).StatusCode.Code);
        Assert.Equal(id, (await http.CallAsync("publish")).GetProperty("SubscriptionId").GetUInt32());
        await http.CallAsync("closesession", "\"DeleteSubscriptions\":true");
    }

    private async Task<ClientSession> ConnectAsync(string scheme, string user) =>
        await _client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = scheme == "opc.tcp"
                ? $"opc.tcp://127.0.0.1:{_gateway.Host.Get<OpcUaOptions>().EndPoint.Port}"
                : new UriBuilder(_gateway.Host.Client.BaseAddress!) { Scheme = scheme, Path = "/opcua" }.Uri.ToString(),
            SecurityPolicyUri = "http://opcfoundation.org/UA/SecurityPolicy#None",
            SecurityMode = MessageSecurityMode.None,
            Identity = ClientIdentity.UserName(user, "horse"),
            AllowInsecureCredentials = true,
        });

    private static async Task<uint> SubscribeAsync(ClientSession session)
    {
        var created = await session.InvokeAsync<CreateSubscriptionRequest, CreateSubscriptionResponse>(
            new CreateSubscriptionRequest
            {
                RequestedPublishingInterval = 10,
                RequestedLifetimeCount = 10_000,
                RequestedMaxKeepAliveCount = 1_000,
                PublishingEnabled = true,
            });
        var items = await session.InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(
            new CreateMonitoredItemsRequest
            {
                SubscriptionId = created.SubscriptionId,
                ItemsToCreate =
                [
                    new MonitoredItemCreateRequest
                    {
                        ItemToMonitor = new ReadValueId
                        {
                            NodeId = new NodeId("ReadOnly", 2),
                            AttributeId = (uint)AttributeId.Value,
                        },
                        MonitoringMode = MonitoringMode.Reporting,
                        RequestedParameters = new MonitoringParameters { SamplingInterval = -1, QueueSize = 1 },
                    },
                ],
            });
        Assert.Equal(StatusCode.Good, items.Results![0].StatusCode);
        return created.SubscriptionId;
    }

    private static async Task<TransferResult> TransferAsync(ClientSession session, uint id) =>
        (await session.InvokeAsync<TransferSubscriptionsRequest, TransferSubscriptionsResponse>(
            new TransferSubscriptionsRequest { SubscriptionIds = [id], SendInitialValues = true })).Results![0];

    private static async Task<PublishResponse> PublishAsync(ClientSession session) =>
        await session.InvokeAsync<PublishRequest, PublishResponse>(new PublishRequest(), Patience.Limit);

    private static JsonElement FirstOf(JsonElement published) => published.GetProperty("NotificationMessage")
        .GetProperty("NotificationData")[0].GetProperty("MonitoredItems")[0];
}
