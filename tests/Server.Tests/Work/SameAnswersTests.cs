using Gateway.Codec.Structures;
using Gateway.Server.Tests.Support;
using Gateway.Testing;

namespace Gateway.Server.Tests.Work;

/// <summary>A request that is worked off in the smallest turns, its decoding deferred too, is answered as one that is
/// done at once: byte by byte, but for the time of the answer.</summary>
public sealed class SameAnswersTests : IDisposable
{
    private const int TimeStart = 4;
    private const int TimeBytes = 8;

    private readonly ServerFixture _whole = new(options => options with
    {
        Limits = options.Limits with
        {
            RequestWorkers = 0,
            MaxWorkPerTurn = int.MaxValue,
            MaxImmediateRequestBytes = int.MaxValue,
            MaxImmediateResponseBytes = int.MaxValue,
        },
    });

    private readonly ServerFixture _parted = new(options => options with
    {
        Limits = options.Limits with
        {
            RequestWorkers = 0,
            MaxWorkPerTurn = 1,
            MaxImmediateRequestBytes = 1,
            MaxImmediateResponseBytes = 1,
        },
    });

    public static TheoryData<string> Requests => [.. Makers.Keys];

    private static Dictionary<string, Func<uint, IServiceRequest>> Makers { get; } = new()
    {
        ["Read"] = _ => TestRequests.Read(500),
        ["ReadOfASource"] = _ => TestRequests.Read(5, TestPlant.Slow),
        ["Write"] = _ => TestRequests.Write(200),
        ["Browse"] = _ => TestRequests.Browse(30),
        ["BrowseOneByOne"] = _ => TestRequests.Browse(2, most: 252),
        ["Translate"] = _ => TestRequests.Translate(300),
        ["Call"] = _ => TestRequests.Call(60),
        ["RegisterNodes"] = _ => TestRequests.Register(300),
        ["CreateMonitoredItems"] = subscription => TestRequests.Items(subscription, 500),
        ["CreateMonitoredItemsOfNoSubscription"] = _ => TestRequests.Items(99, 500),
        ["ModifyMonitoredItems"] = subscription => new ModifyMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            TimestampsToReturn = TimestampsToReturn.Source,
            ItemsToModify = [.. Ids().Select(id => new MonitoredItemModifyRequest
            {
                MonitoredItemId = id,
                RequestedParameters = new MonitoringParameters { QueueSize = id },
            })],
        },
        ["SetMonitoringMode"] = subscription => new SetMonitoringModeRequest
        {
            SubscriptionId = subscription,
            MonitoringMode = MonitoringMode.Reporting,
            MonitoredItemIds = Ids(),
        },
        ["SetTriggering"] = subscription => new SetTriggeringRequest
        {
            SubscriptionId = subscription,
            TriggeringItemId = 1,
            LinksToAdd = Ids(),
            LinksToRemove = Ids(),
        },
        ["DeleteMonitoredItems"] = subscription => new DeleteMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            MonitoredItemIds = Ids(),
        },
        ["DeleteSubscriptions"] = subscription => new DeleteSubscriptionsRequest
        {
            SubscriptionIds = [subscription, 99, subscription],
        },
        ["TransferSubscriptions"] = subscription => new TransferSubscriptionsRequest
        {
            SubscriptionIds = [99, subscription, 98],
        },
    };

    public void Dispose()
    {
        _whole.Dispose();
        _parted.Dispose();
    }

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Request_WholeAndInTurns_IsAnsweredTheSame(string name)
    {
        var whole = await AnswerAsync(_whole, Makers[name]);
        var parted = await AnswerAsync(_parted, Makers[name]);

        Assert.Equal(whole, parted);
        Assert.True(_parted.Server.Counters.DeferredRequests > 0);
        Assert.Equal(0, _parted.Server.Counters.UnfinishedRequests);
    }

    private static uint[] Ids() => [.. Enumerable.Range(1, 400).Select(i => (uint)i)];

    private static async Task<byte[]> AnswerAsync(ServerFixture fixture, Func<uint, IServiceRequest> make)
    {
        var client = fixture.Connect();
        Pump(fixture, client, client.Send(client.NewSession()));
        client.Take((await client.AnswerAsync<CreateSessionResponse>(1)).Response!);
        await PumpedAsync(fixture, client, client.Send(client.NewActivation()));
        var subscription = await SubscribeAsync(fixture, client);
        await PumpedAsync(fixture, client, client.Send(TestRequests.Items(subscription, 300)));
        var answer = await PumpedAsync(fixture, client, client.Send(make(subscription)));
        if (client.Link.Unfinished is { } unfinished)
            await unfinished.Done.WaitAsync(Patience.Limit);
        answer.AsSpan(TimeStart, TimeBytes).Clear();
        return answer;
    }

    private static async Task<uint> SubscribeAsync(ServerFixture fixture, TestClient client)
    {
        var request = client.Send(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 1000,
            RequestedLifetimeCount = 100,
            RequestedMaxKeepAliveCount = 10,
        });
        await PumpedAsync(fixture, client, request);
        return (await client.AnswerAsync<CreateSubscriptionResponse>(request)).Response!.SubscriptionId;
    }

    private static Task<byte[]> PumpedAsync(ServerFixture fixture, TestClient client, uint request)
    {
        Pump(fixture, client, request);
        return client.Link.AnswerAsync(request);
    }

    private static void Pump(ServerFixture fixture, TestClient client, uint request)
    {
        while (!client.Link.IsAnswered(request) && fixture.Server.Work.RunOne())
        {
        }
    }
}
