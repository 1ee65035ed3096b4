using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Publish.Durable;
using Gateway.Server.Tests.Support;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Server.Tests.Services;

/// <summary>SetSubscriptionDurable by Call, and which ends of a session a durable subscription outlives (Part 5 §9.3).
/// </summary>
public sealed class DurableMethodTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("durable-").FullName;

    private readonly ServerFixture _fixture = new(
        static options => options with { OfferDurableSubscriptions = true },
        publish: PublishLimits.Default with { MaxDurableSubscriptions = 1, MaxDurableMonitoredItems = 1 });

    private readonly DurableSubscriptions _durable;

    public DurableMethodTests()
    {
        _durable = new DurableSubscriptions(
            _fixture.Publishing, _fixture.Nodes, _fixture.Values, new DurableOptions { Path = _folder }, _fixture.Time,
            NullLogger<DurableSubscriptions>.Instance);
        _durable.Start();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        await _durable.DisposeAsync();
        _fixture.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task Call_OwnSubscription_ReturnsTheRevisedHours()
    {
        var client = await _fixture.ConnectAsync();
        var result = await SetAsync(client, await SubscribeAsync(client), hours: 5000);
        Assert.Equal(StatusCode.Good, result.StatusCode);
        Assert.Equal(168u, Assert.Single(result.OutputArguments!).AsUInt32());
    }

    [Fact]
    public async Task Call_Refused_HasTheStatusAndNoOutput()
    {
        var (client, other) = (await _fixture.ConnectAsync(), await _fixture.ConnectAsync());
        var subscription = await SubscribeAsync(client);
        Assert.Equal(StatusCodes.BadUserAccessDenied, (await SetAsync(other, subscription)).StatusCode.Code);
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, (await SetAsync(client, 1)).StatusCode.Code);
        Assert.Equal(StatusCode.Good, (await SetAsync(client, subscription)).StatusCode);
        var refused = await SetAsync(client, await SubscribeAsync(client));
        Assert.Equal(StatusCodes.BadTooManySubscriptions, refused.StatusCode.Code);
        Assert.Empty(refused.OutputArguments ?? []);
        await client.CallAsync<CreateMonitoredItemsResponse>(TestRequests.Items(subscription, 2));
        Assert.Equal(StatusCodes.BadInvalidState, (await SetAsync(client, subscription)).StatusCode.Code);
        Assert.Equal(
            [RefusalReason.MaxDurableSubscriptions, RefusalReason.MaxDurableMonitoredItems],
            _fixture.Admission.Decisions.Snapshot().Select(static one => one.Reason).Order());
    }

    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public async Task CloseSession_DurableSubscription_GoesAsTheClientSays(bool delete, int left)
    {
        var client = await _fixture.ConnectAsync();
        await SetAsync(client, await SubscribeAsync(client));
        await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = delete });
        Assert.Equal(left, Diagnostics());
    }

    [Fact]
    public async Task Shutdown_DurableSubscription_StaysAndOthersGo()
    {
        var client = await _fixture.ConnectAsync();
        await SetAsync(client, await SubscribeAsync(client));
        await SubscribeAsync(client);
        _fixture.Server.CloseSessions();
        Assert.Equal(1, Diagnostics());
    }

    private int Diagnostics()
    {
        var all = new List<SubscriptionDiagnosticsDataType>();
        _fixture.Publishing.ReadSubscriptionDiagnostics(all);
        return all.Count;
    }

    private static async Task<CallMethodResult> SetAsync(TestClient client, uint subscription, uint hours = 1) =>
        Assert.Single((await client.CallAsync<CallResponse>(new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest
                {
                    ObjectId = new NodeId(StandardIds.Objects.Server),
                    MethodId = new NodeId(StandardIds.Methods.Server_SetSubscriptionDurable),
                    InputArguments = [new Variant(subscription), new Variant(hours)],
                },
            ],
        })).Results!);

    private static async Task<uint> SubscribeAsync(TestClient client) =>
        (await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest())).SubscriptionId;
}
