using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop;

/// <summary>Our client against node-opcua's server.</summary>
[Collection(nameof(AloneCollection))]
public sealed class ClientTests(PlantServerFixture fixture) : IClassFixture<PlantServerFixture>
{
    private const string PolicyPrefix = "http://opcfoundation.org/UA/SecurityPolicy#";
    private const ushort Namespace = 2;

    [PeerTheory]
    [InlineData("None", MessageSecurityMode.None)]
    [InlineData("Basic256Sha256", MessageSecurityMode.Sign)]
    [InlineData("Basic256Sha256", MessageSecurityMode.SignAndEncrypt)]
    [InlineData("Aes128_Sha256_RsaOaep", MessageSecurityMode.Sign)]
    [InlineData("Aes128_Sha256_RsaOaep", MessageSecurityMode.SignAndEncrypt)]
    [InlineData("Aes256_Sha256_RsaPss", MessageSecurityMode.Sign)]
    [InlineData("Aes256_Sha256_RsaPss", MessageSecurityMode.SignAndEncrypt)]
    public async Task Session_EachPolicyAndMode_ReadsWritesCallsAndWatches(string policy, MessageSecurityMode mode)
    {
        await using ClientSession session = await ConnectAsync(policy, mode, ClientIdentity.Anonymous);

        Assert.Equal(new Variant(0), (await ReadAsync(session, new NodeId(2259))).Value);
        int written = Random.Shared.Next();
        Assert.Equal(StatusCodes.Good, await WriteAsync(session, new NodeId("Int32", Namespace), new Variant(written)));
        Assert.Equal(new Variant(written), (await ReadAsync(session, new NodeId("Int32", Namespace))).Value);
        Assert.Equal(new Variant(42), Assert.Single((await AddAsync(session, 40, 2))!));
        await WatchAsync(session, items: 20, valuesEach: 5);
    }

    [PeerTheory]
    [InlineData("None", MessageSecurityMode.None)]
    [InlineData("Basic256Sha256", MessageSecurityMode.SignAndEncrypt)]
    [InlineData("Aes128_Sha256_RsaOaep", MessageSecurityMode.SignAndEncrypt)]
    [InlineData("Aes256_Sha256_RsaPss", MessageSecurityMode.SignAndEncrypt)]
    public async Task Session_UserName_IsAcceptedByTheRightPasswordOnly(string policy, MessageSecurityMode mode)
    {
        await using (ClientSession session =
            await ConnectAsync(policy, mode, ClientIdentity.UserName("operator", "secret")))
            Assert.True(session.IsOpen);

        await Assert.ThrowsAsync<ServiceException>(async () =>
            await ConnectAsync(policy, mode, ClientIdentity.UserName("operator", "wrong")));
    }

    private ValueTask<ClientSession> ConnectAsync(string policy, MessageSecurityMode mode, ClientIdentity identity) =>
        fixture.Client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = fixture.Server!.EndpointUrl,
            SecurityPolicyUri = PolicyPrefix + policy,
            SecurityMode = mode,
            Identity = identity,
            AllowInsecureCredentials = true,
        });

    private static async Task<DataValue> ReadAsync(ClientSession session, NodeId nodeId)
    {
        ReadResponse response = await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
        {
            TimestampsToReturn = TimestampsToReturn.Both,
            NodesToRead = [new ReadValueId { NodeId = nodeId, AttributeId = (uint)AttributeId.Value }],
        });
        return Assert.Single(response.Results!);
    }

    private static async Task<StatusCode> WriteAsync(ClientSession session, NodeId nodeId, Variant value)
    {
        WriteResponse response = await session.InvokeAsync<WriteRequest, WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue { NodeId = nodeId, AttributeId = (uint)AttributeId.Value, Value = new DataValue(value) },
            ],
        });
        return Assert.Single(response.Results!);
    }

    private static async Task<Variant[]?> AddAsync(ClientSession session, int left, int right)
    {
        CallResponse response = await session.InvokeAsync<CallRequest, CallResponse>(new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest
                {
                    ObjectId = new NodeId("Methods", Namespace),
                    MethodId = new NodeId("Add", Namespace),
                    InputArguments = [new Variant(left), new Variant(right)],
                },
            ],
        });
        return Assert.Single(response.Results!).OutputArguments;
    }

    private static async Task WatchAsync(ClientSession session, int items, int valuesEach)
    {
        CounterHandler counters = new(items, valuesEach);
        ClientSubscription subscription = await session.CreateSubscriptionAsync(
            new SubscriptionSettings { PublishingIntervalMs = 100 }, counters);
        MonitoredItemCreateResult[] results = await subscription.CreateMonitoredItemsAsync(
        [
            .. Enumerable.Range(0, items).Select(item => new MonitoredItemCreateRequest
            {
                ItemToMonitor = new ReadValueId
                {
                    NodeId = new NodeId((uint)(1000 + item), Namespace),
                    AttributeId = (uint)AttributeId.Value,
                },
                MonitoringMode = MonitoringMode.Reporting,
                RequestedParameters = new MonitoringParameters
                {
                    ClientHandle = (uint)item, SamplingInterval = 0, QueueSize = 1000, DiscardOldest = true,
                },
            }),
        ]);
        Assert.All(results, result => Assert.True(result.StatusCode.IsGood));
        await counters.Done.WaitAsync(Patience.Limit);
        Assert.Equal(0, counters.Wrong);
        await subscription.DeleteAsync();
    }
}
