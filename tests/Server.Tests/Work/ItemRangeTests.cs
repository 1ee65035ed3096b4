using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Work;

/// <summary>A new item that watches a part of a value costs as much as the whole value (R44). No worker runs: the test
/// takes each turn by itself.</summary>
public sealed class ItemRangeTests
{
    [Fact]
    public async Task Create_PartsOfALargeValue_GoToTheWorkers()
    {
        using var fixture = Fixture(2_000_000);
        var client = await fixture.ConnectAsync();
        var request = await CreationAsync(client, 5, "0");
        Assert.True(client.Link.IsAnswered(client.Send(request)));
        SetLargeArray(fixture);
        Assert.True(client.Link.IsAnswered(client.Send(await CreationAsync(client, 5, null))));

        var handle = client.Send(request);
        Assert.False(client.Link.IsAnswered(handle));
        while (fixture.Server.Work.RunOne())
        {
        }

        var (_, response) = await client.AnswerAsync<CreateMonitoredItemsResponse>(handle);
        Assert.All(response!.Results!, result => Assert.Equal(StatusCode.Good, result.StatusCode));
        Assert.Equal(5, response!.Results!.Select(result => result.MonitoredItemId).Distinct().Count());
    }

    [Fact]
    public async Task Create_PartsBeyondAllWorkOfARequest_AreRefused()
    {
        using var fixture = Fixture(3_000);
        var client = await fixture.ConnectAsync();
        SetLargeArray(fixture);
        var handle = client.Send(await CreationAsync(client, 20, "0"));
        while (fixture.Server.Work.RunOne())
        {
        }

        var (_, response) = await client.AnswerAsync<CreateMonitoredItemsResponse>(handle);
        var refused = response!.Results!.Select(result => result.StatusCode == StatusCodes.BadResourceUnavailable);
        Assert.Equal(Enumerable.Range(0, 20).Select(i => i >= 6), refused);
    }

    private static ServerFixture Fixture(int maxWorkPerRequest) => new(options => options with
    {
        Limits = options.Limits with
        {
            RequestWorkers = 0,
            MaxWorkPerTurn = 100,
            MaxWorkPerRequest = maxWorkPerRequest,
        },
    });

    /// <summary>625 units.</summary>
    private static void SetLargeArray(ServerFixture fixture) => fixture.Values.Set(
        fixture.Find(TestPlant.Int32Array), new DataValue(Variant.FromArray(BuiltInType.Int32, new int[10_000])));

    private static async Task<CreateMonitoredItemsRequest> CreationAsync(TestClient client, int items, string? range)
    {
        var subscription = await client.CallAsync<CreateSubscriptionResponse>(
            new CreateSubscriptionRequest { RequestedPublishingInterval = 1_000 });
        return new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription.SubscriptionId,
            TimestampsToReturn = TimestampsToReturn.Both,
            ItemsToCreate =
            [
                .. Enumerable.Range(0, items).Select(i => new MonitoredItemCreateRequest
                {
                    ItemToMonitor = new ReadValueId
                    {
                        NodeId = TestPlant.Int32Array,
                        AttributeId = (uint)AttributeId.Value,
                        IndexRange = range,
                    },
                    MonitoringMode = MonitoringMode.Reporting,
                    RequestedParameters = new MonitoringParameters { ClientHandle = (uint)i },
                }),
            ],
        };
    }
}
