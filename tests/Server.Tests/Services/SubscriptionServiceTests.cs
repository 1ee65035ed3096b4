using System.Buffers.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Services;

public sealed class SubscriptionServiceTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData("observer", "observer", StatusCodes.Good)]
    [InlineData("observer", "operator", StatusCodes.BadUserAccessDenied)]
    [InlineData("observer", null, StatusCodes.BadUserAccessDenied)]
    [InlineData(null, "observer", StatusCodes.BadUserAccessDenied)]
    [InlineData(null, null, StatusCodes.BadUserAccessDenied)]
    public async Task TransferSubscriptions_Unsecured_NeedsTheSameNamedUser(string? from, string? to, uint expected)
    {
        var (old, heir) = (await _fixture.ConnectAsync(from), await _fixture.ConnectAsync(to));
        var subscription = await SubscribeAsync(old);
        Assert.Equal(expected, (await TransferAsync(heir, subscription)).StatusCode.Code);
    }

    [Fact]
    public async Task TransferSubscriptions_AnonymousOverSignedChannels_SameApplicationMay()
    {
        var (old, heir) = (await SecuredAsync(), await SecuredAsync());
        var subscription = await SubscribeAsync(old);
        Assert.Equal(StatusCode.Good, (await TransferAsync(heir, subscription)).StatusCode);
        Assert.Equal(1, _fixture.Publishing.Counters.TransferredSubscriptions);
    }

    [Fact]
    public async Task TransferSubscriptions_SessionClosedKeepingThem_HeirTakesThemOver()
    {
        var (old, heir) = (await _fixture.ConnectAsync("operator"), await _fixture.ConnectAsync("operator"));
        var subscription = await SubscribeAsync(old);
        await old.CallAsync<CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = false });
        Assert.Equal(1, _fixture.Publishing.Counters.Subscriptions);
        Assert.Equal(StatusCode.Good, (await TransferAsync(heir, subscription)).StatusCode);
        await heir.CallAsync<CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = true });
        Assert.Equal(0, _fixture.Publishing.Counters.Subscriptions);
    }

    [Fact]
    public async Task TransferSubscriptions_NothingOrTooMany_IsAFault()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new TransferSubscriptionsRequest()));
        var many = new uint[_fixture.Options.Limits.MaxSubscriptionsPerCall + 1];
        Assert.Equal(
            StatusCodes.BadTooManyOperations,
            await client.FaultAsync(new TransferSubscriptionsRequest { SubscriptionIds = many }));
    }

    [Theory]
    [InlineData(2)]
    [InlineData(1_000_000)]
    public async Task Publish_AcknowledgementsThatAreNotThere_BadDecodingError(int told)
    {
        var client = await _fixture.ConnectAsync();
        await SubscribeAsync(client);
        var message = TestClient.Encode(new PublishRequest
        {
            RequestHeader = new RequestHeader { AuthenticationToken = client.Token, RequestHandle = 7 },
        });
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(message.Length - sizeof(int)), told);

        Assert.Equal(StatusCodes.BadDecodingError, await client.FaultAsync(client.SendRaw(message)));
    }

    /// <summary>Few stand on the stack, many in an array.</summary>
    [Theory]
    [InlineData(64)]
    [InlineData(65)]
    public async Task Publish_ManyAcknowledgements_EachHasItsResult(int count)
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Publishing.Start();
        var subscription = await SubscribeAsync(client);
        var id = client.Send(new PublishRequest
        {
            SubscriptionAcknowledgements =
            [
                .. Enumerable.Range(1, count).Select(i => new SubscriptionAcknowledgement
                {
                    SubscriptionId = i % 2 == 0 ? subscription : 0,
                    SequenceNumber = (uint)i,
                }),
            ],
        });
        _fixture.Time.Advance(TimeSpan.FromSeconds(1));

        var (_, response) = await client.AnswerAsync<PublishResponse>(id);

        Assert.Equal(
            Enumerable.Range(1, count).Select(i => new StatusCode(
                i % 2 == 0 ? StatusCodes.BadSequenceNumberUnknown : StatusCodes.BadSubscriptionIdInvalid)),
            response!.Results!);
    }

    [Fact]
    public async Task GetMonitoredItems_OwnSubscription_GivesBothHandles()
    {
        var client = await _fixture.ConnectAsync("observer");
        var subscription = await SubscribeAsync(client);
        var created = await client.CallAsync<CreateMonitoredItemsResponse>(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            ItemsToCreate = [Item(41), Item(42)],
        });
        var result = await CallAsync(client, StandardIds.Methods.Server_GetMonitoredItems, subscription);
        Assert.Equal(StatusCode.Good, result.StatusCode);
        Assert.Equal(
            created.Results!.Select(item => item.MonitoredItemId),
            result.OutputArguments![0].AsArray<uint>()!);
        Assert.Equal([41u, 42u], result.OutputArguments[1].AsArray<uint>()!);
    }

    /// <summary>What its results hold counts for the request (R43).</summary>
    [Fact]
    public async Task GetMonitoredItems_MoreThanARequestMayHold_TheRestIsRefused()
    {
        const int Limit = 40_000;
        using var fixture = new ServerFixture(options => options with
        {
            Limits = options.Limits with { MaxDecodedBytesPerRequest = Limit },
        });
        var client = await fixture.ConnectAsync("observer");
        var subscription = await SubscribeAsync(client);
        for (var i = 0; i < 25; i++)
            await client.CallAsync<CreateMonitoredItemsResponse>(new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscription,
                ItemsToCreate = [.. Enumerable.Range(0, 20).Select(item => Item((uint)item))],
            });

        var response = await client.CallAsync<CallResponse>(new CallRequest
        {
            MethodsToCall =
            [
                .. Enumerable.Range(0, 20).Select(_ => new CallMethodRequest
                {
                    ObjectId = new NodeId(2253),
                    MethodId = new NodeId(StandardIds.Methods.Server_GetMonitoredItems),
                    InputArguments = [new Variant(subscription)],
                }),
            ],
        });

        var good = response.Results!.TakeWhile(result => result.StatusCode.IsGood).ToArray();
        Assert.InRange(good.Length, 1, Limit / (8 * 500));
        Assert.All(good, result => Assert.Equal(500, result.OutputArguments![0].AsArray<uint>()!.Length));
        Assert.All(
            response.Results![good.Length..],
            result => Assert.Equal(StatusCodes.BadResponseTooLarge, result.StatusCode.Code));
    }

    [Theory]
    [InlineData(StandardIds.Methods.Server_GetMonitoredItems)]
    [InlineData(StandardIds.Methods.Server_ResendData)]
    public async Task SubscriptionMethods_ForeignOrUnknownSubscription_Refuse(uint method)
    {
        var (owner, other) = (await _fixture.ConnectAsync("observer"), await _fixture.ConnectAsync("observer"));
        var subscription = await SubscribeAsync(owner);
        Assert.Equal(StatusCode.Good, (await CallAsync(owner, method, subscription)).StatusCode);
        Assert.Equal(StatusCodes.BadUserAccessDenied, (await CallAsync(other, method, subscription)).StatusCode.Code);
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, (await CallAsync(other, method, 999)).StatusCode.Code);
    }

    [Fact]
    public async Task ActivateSession_OtherUserOnTheSameChannel_SubscriptionsAreHisNow()
    {
        var client = await _fixture.ConnectAsync("observer");
        var subscription = await SubscribeAsync(client);
        await client.ActivateAsync("operator");
        var heir = await _fixture.ConnectAsync("operator");
        Assert.Equal(StatusCode.Good, (await TransferAsync(heir, subscription)).StatusCode);
    }

    private static async Task<uint> SubscribeAsync(TestClient client) =>
        (await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 1000,
            PublishingEnabled = true,
        })).SubscriptionId;

    private static async Task<TransferResult> TransferAsync(TestClient client, uint subscription) =>
        (await client.CallAsync<TransferSubscriptionsResponse>(
            new TransferSubscriptionsRequest { SubscriptionIds = [subscription] })).Results!.Single();

    private static async Task<CallMethodResult> CallAsync(TestClient client, uint method, uint subscription) =>
        (await client.CallAsync<CallResponse>(new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest
                {
                    ObjectId = new NodeId(2253),
                    MethodId = new NodeId(method),
                    InputArguments = [new Variant(subscription)],
                },
            ],
        })).Results!.Single();

    private static MonitoredItemCreateRequest Item(uint clientHandle) => new()
    {
        ItemToMonitor = new ReadValueId { NodeId = TestPlant.Int32, AttributeId = (uint)AttributeId.Value },
        MonitoringMode = MonitoringMode.Reporting,
        RequestedParameters = new MonitoringParameters { ClientHandle = clientHandle },
    };

    private async Task<TestClient> SecuredAsync()
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        await client.CreateSessionAsync();
        await client.ActivateAsync();
        return client;
    }
}
