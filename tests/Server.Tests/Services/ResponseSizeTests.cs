using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Services;

/// <summary>MaxResponseMessageSize of CreateSession. Source: Part 4 §5.7.2.2.</summary>
public sealed class ResponseSizeTests : IDisposable
{
    /// <summary>The endpoints that CreateSession tells take half of it.</summary>
    private const uint Limit = 20_000;

    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(0u, 50_000, true)]
    [InlineData(uint.MaxValue, 50_000, true)]
    [InlineData(Limit, 10_000, true)]
    [InlineData(Limit, 50_000, false)]
    public async Task Read_AnswerAndLimit_LargerOnesAreRefused(uint limit, int length, bool fits)
    {
        var client = await ConnectAsync(limit);
        SetText(length);
        var id = client.Send(TestRequests.Read(1, TestPlant.Text));
        var (status, response) = await client.AnswerAsync<ReadResponse>(id);
        Assert.Equal(fits ? StatusCodes.Good : StatusCodes.BadResponseTooLarge, status.Code);
        Assert.Equal(fits, response is not null);
    }

    [Fact]
    public async Task Read_AnswerOfExactlyTheLimit_Fits()
    {
        var unlimited = await ConnectAsync(0);
        SetText(15_000);
        var answer = await unlimited.Link.AnswerAsync(unlimited.Send(TestRequests.Read(1, TestPlant.Text)));
        var (exact, less) = (await ConnectAsync((uint)answer.Length), await ConnectAsync((uint)answer.Length - 1));
        await exact.CallAsync<ReadResponse>(TestRequests.Read(1, TestPlant.Text));
        Assert.Equal(StatusCodes.BadResponseTooLarge, await less.FaultAsync(TestRequests.Read(1, TestPlant.Text)));
    }

    [Fact]
    public async Task OtherServices_LargerThanTheLimit_AreRefused()
    {
        var client = await ConnectAsync(Limit);
        Assert.Equal(StatusCodes.BadResponseTooLarge, await client.FaultAsync(TestRequests.Browse(4)));
        Assert.Equal(StatusCodes.BadResponseTooLarge, await client.FaultAsync(TestRequests.Write(6000)));
        var subscription = await client.CallAsync<CreateSubscriptionResponse>(
            new CreateSubscriptionRequest { RequestedPublishingInterval = 1000 });
        var items = TestRequests.Items(subscription.SubscriptionId, 1000);
        Assert.Equal(StatusCodes.BadResponseTooLarge, await client.FaultAsync(items));
        var slow = client.Send(TestRequests.Read(2000, TestPlant.Slow));
        Assert.Equal(StatusCodes.BadResponseTooLarge, await client.FaultAsync(slow));
    }

    [Fact]
    public async Task TwoSessionsOnOneChannel_EachHasItsOwnLimit()
    {
        var client = await ConnectAsync(Limit);
        var (limited, limitedNonce) = (client.Token, client.ServerNonce);
        await client.CreateSessionAsync();
        await client.ActivateAsync();
        SetText(50_000);
        await client.CallAsync<ReadResponse>(TestRequests.Read(1, TestPlant.Text));
        (client.Token, client.ServerNonce) = (limited, limitedNonce);
        Assert.Equal(StatusCodes.BadResponseTooLarge, await client.FaultAsync(TestRequests.Read(1, TestPlant.Text)));
    }

    [Fact]
    public async Task CreateSession_ItsOwnAnswerIsTooLarge_NoSessionIsLeft()
    {
        var client = _fixture.Connect();
        var fault = await client.FaultAsync(new CreateSessionRequest
        {
            ClientDescription = new ApplicationDescription { ApplicationUri = "urn:test:client" },
            MaxResponseMessageSize = 100,
        });
        Assert.Equal(StatusCodes.BadResponseTooLarge, fault);
        Assert.Equal(0, _fixture.Server.SessionCount);
    }

    [Fact]
    public async Task Publish_MoreThanTheLimit_ComesInSeveralMessagesAndNothingIsLost()
    {
        const int items = 100;
        _fixture.Publishing.Start();
        var client = await ConnectAsync(Limit);
        SetText(1000);
        await SubscribeAsync(client, TestPlant.Text, items);
        var requests = Enumerable.Range(0, items).Select(_ => client.Send(new PublishRequest())).ToList();
        _fixture.Time.Advance(1000);
        var handles = new HashSet<uint>();
        var messages = 0;
        for (var more = true; more; messages++)
        {
            var bytes = await client.Link.AnswerAsync(requests[messages]);
            Assert.InRange(bytes.Length, 1, (int)Limit);
            var reader = new UaBinaryReader(bytes);
            reader.ReadNodeId();
            var response = PublishResponse.Decode(ref reader);
            var data = (DataChangeNotification)response.NotificationMessage.NotificationData!.Single().Body!;
            handles.UnionWith(data.MonitoredItems!.Select(one => one.ClientHandle));
            more = response.MoreNotifications;
        }

        Assert.Equal(items, handles.Count);
        Assert.True(messages > 2);
    }

    private async Task<TestClient> ConnectAsync(uint limit)
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync(new CreateSessionRequest
        {
            ClientDescription = new ApplicationDescription { ApplicationUri = "urn:test:client" },
            MaxResponseMessageSize = limit,
            RequestedSessionTimeout = 60_000,
        });
        await client.ActivateAsync();
        return client;
    }

    private void SetText(int length) => _fixture.Values.Set(
        _fixture.Find(TestPlant.Text), new DataValue(new Variant(new string('x', length))));

    private static async Task SubscribeAsync(TestClient client, NodeId node, int items)
    {
        var subscription = await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 1000,
            RequestedLifetimeCount = 10_000,
            PublishingEnabled = true,
        });
        for (var i = 0; i < items; i += 10)
        {
            await client.CallAsync<CreateMonitoredItemsResponse>(new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscription.SubscriptionId,
                ItemsToCreate =
                [
                    .. Enumerable.Range(i, Math.Min(10, items - i)).Select(handle => new MonitoredItemCreateRequest
                    {
                        ItemToMonitor = new ReadValueId { NodeId = node, AttributeId = (uint)AttributeId.Value },
                        MonitoringMode = MonitoringMode.Reporting,
                        RequestedParameters = new MonitoringParameters { ClientHandle = (uint)handle },
                    }),
                ],
            });
        }
    }
}
