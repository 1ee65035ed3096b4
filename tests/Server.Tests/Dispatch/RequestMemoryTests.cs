using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Dispatch;

/// <summary>R02, R04, R43: what a request takes in memory is bounded before it is made, and counted while it waits.
/// </summary>
public sealed class RequestMemoryTests : IDisposable
{
    private const long MebiByte = 1024 * 1024;

    /// <summary>All on the thread that sends: its allocations are counted.</summary>
    private readonly ServerFixture _fixture = new(
        options => options with { Limits = options.Limits with { MaxImmediateRequestBytes = 32 * 1024 * 1024 } });

    public void Dispose() => _fixture.Dispose();

    public static TheoryData<string> Crowds =>
    [
        nameof(BrowseRequest), nameof(BrowseNextRequest), nameof(TranslateBrowsePathsToNodeIdsRequest),
        nameof(RegisterNodesRequest), nameof(UnregisterNodesRequest), nameof(CallRequest), nameof(ReadRequest),
        nameof(WriteRequest), nameof(CreateMonitoredItemsRequest), nameof(ModifyMonitoredItemsRequest),
        nameof(DeleteMonitoredItemsRequest), nameof(SetMonitoringModeRequest), nameof(SetTriggeringRequest),
        nameof(SetPublishingModeRequest), nameof(DeleteSubscriptionsRequest), nameof(TransferSubscriptionsRequest),
    ];

    [Fact]
    public async Task Write_15MegabytesOfEmptyDataValues_RefusedBeforeTheyAreMade()
    {
        var client = await _fixture.ConnectAsync();
        var empty = new DataValue(Variant.FromArray(BuiltInType.DataValue, new DataValue[1_000_000]));
        var request = new WriteRequest { NodesToWrite = new WriteValue[15] };
        Array.Fill(
            request.NodesToWrite,
            new WriteValue { NodeId = TestPlant.Int32, AttributeId = (uint)AttributeId.Value, Value = empty });

        var (status, allocated) = await SendAsync(client, request);

        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, status.Code);
        Assert.InRange(allocated, 0, 80 * MebiByte);
        Assert.Equal(1, _fixture.Server.Counters.FaultsOf(StatusCodes.BadEncodingLimitsExceeded));
    }

    [Fact]
    public async Task Call_ArgumentsThatTakeMoreThanTheLimit_Refused()
    {
        var client = await _fixture.ConnectAsync();
        var nested = Variant.FromArray(BuiltInType.DiagnosticInfo, new DiagnosticInfo?[900_000]);
        var arguments = new Variant[15];
        Array.Fill(arguments, nested);

        var (status, allocated) = await SendAsync(
            client, new CallRequest { MethodsToCall = [new CallMethodRequest { InputArguments = arguments }] });

        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, status.Code);
        Assert.InRange(allocated, 0, 80 * MebiByte);
    }

    [Theory]
    [MemberData(nameof(Crowds))]
    public async Task Request_OfTooManyOperations_RefusedBeforeTheyAreMade(string name)
    {
        var client = await _fixture.ConnectAsync();

        var (status, allocated) = await SendAsync(client, Crowd(name, 60_000));

        Assert.Equal(StatusCodes.BadTooManyOperations, status.Code);
        Assert.InRange(allocated, 0, 64 * 1024);
    }

    [Fact]
    public async Task Request_Waiting_CountsInTheMemoryBudgetUntilItIsDone()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var waiting = client.Send(SlowWrite(new Variant(new string('x', 50_000))));
        Assert.InRange(_fixture.Memory.TotalBytes, 100_000, 110_000);
        _fixture.Source.Go();
        await client.AnswerAsync<WriteResponse>(waiting);
        Assert.Equal(0, _fixture.Memory.TotalBytes);
    }

    [Fact]
    public async Task Request_WaitingOverTheMemoryBudget_TheSessionThatHoldsMostLosesItsOwn()
    {
        using var fixture = new ServerFixture(memoryBudgetBytes: 300_000);
        var (small, large) = (await fixture.ConnectAsync(), await fixture.ConnectAsync());
        fixture.Source.Hold();
        var kept = small.Send(SlowWrite(new Variant(new string('x', 40_000))));
        var first = large.Send(SlowWrite(new Variant(new string('y', 60_000))));
        var second = large.Send(SlowWrite(new Variant(new string('z', 60_000))));

        Assert.Equal(StatusCodes.BadOutOfMemory, (await large.FaultAsync(first)).Code);
        Assert.Equal(StatusCodes.BadOutOfMemory, (await large.FaultAsync(second)).Code);
        Assert.Equal(2, fixture.Memory.RefusedRequests);
        fixture.Source.Go();
        var (_, response) = await small.AnswerAsync<WriteResponse>(kept);
        Assert.Equal([StatusCode.Good, StatusCode.Good], response!.Results!);
    }

    /// <summary>What one source has answered waits for the other.</summary>
    [Fact]
    public async Task Answer_Waiting_CountsInTheMemoryBudgetUntilItIsSent()
    {
        _fixture.Nodes.SetSource(_fixture.Find(TestPlant.Text), Large(50_000));
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var before = _fixture.Memory.TotalBytes;

        var waiting = client.Send(LargeRead());

        Assert.InRange(_fixture.Memory.TotalBytes - before, 100_000, 110_000);
        _fixture.Source.Go();
        var (_, response) = await client.AnswerAsync<ReadResponse>(waiting);
        Assert.Equal(50_000, response!.Results![0].Value.AsString()!.Length);
        Assert.Equal(0, _fixture.Memory.TotalBytes);
    }

    /// <summary>Several clients at once.</summary>
    [Fact]
    public async Task Answers_WaitingOverTheMemoryBudget_TheSessionThatHoldsMostLosesItsOwn()
    {
        using var fixture = new ServerFixture(memoryBudgetBytes: 300_000);
        fixture.Nodes.SetSource(fixture.Find(TestPlant.Text), Large(50_000));
        var (small, large) = (await fixture.ConnectAsync(), await fixture.ConnectAsync());
        fixture.Source.Hold();
        var kept = small.Send(LargeRead());
        var first = large.Send(LargeRead());
        var second = large.Send(LargeRead());

        Assert.Equal(StatusCodes.BadOutOfMemory, (await large.FaultAsync(first)).Code);
        Assert.Equal(StatusCodes.BadOutOfMemory, (await large.FaultAsync(second)).Code);
        Assert.Equal(2, fixture.Memory.RefusedRequests);
        fixture.Source.Go();
        var (_, response) = await small.AnswerAsync<ReadResponse>(kept);
        Assert.All(response!.Results!, static one => Assert.True(one.Status.IsGood));
        Assert.Equal(0, fixture.Memory.TotalBytes);
    }

    private static SlowSource Large(int characters) =>
        new() { Value = new DataValue(new Variant(new string('x', characters))) };

    private static ReadRequest LargeRead() => new()
    {
        NodesToRead =
        [
            new ReadValueId { NodeId = TestPlant.Text, AttributeId = (uint)AttributeId.Value },
            new ReadValueId { NodeId = TestPlant.Slow, AttributeId = (uint)AttributeId.Value },
        ],
    };

    private static WriteRequest SlowWrite(Variant value) => new()
    {
        NodesToWrite =
        [
            new WriteValue
            {
                NodeId = TestPlant.Slow, AttributeId = (uint)AttributeId.Value, Value = new DataValue(new Variant(5)),
            },
            new WriteValue
            {
                NodeId = TestPlant.Text, AttributeId = (uint)AttributeId.Value, Value = new DataValue(value),
            },
        ],
    };

    /// <summary>The server's work is done on the thread that sends.</summary>
    private static async Task<(StatusCode Status, long Allocated)> SendAsync(TestClient client, IServiceRequest request)
    {
        // What a first request makes once is no part of it.
        await client.FaultAsync(new ReadRequest());
        request.RequestHeader = new RequestHeader { AuthenticationToken = client.Token };
        var message = TestClient.Encode(request);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var id = client.SendRaw(message);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        return (await client.FaultAsync(id), allocated);
    }

    private static IServiceRequest Crowd(string name, int count) => name switch
    {
        nameof(BrowseRequest) => new BrowseRequest { NodesToBrowse = new BrowseDescription[count] },
        nameof(BrowseNextRequest) => new BrowseNextRequest { ContinuationPoints = new byte[count][] },
        nameof(TranslateBrowsePathsToNodeIdsRequest) =>
            new TranslateBrowsePathsToNodeIdsRequest { BrowsePaths = new BrowsePath[count] },
        nameof(RegisterNodesRequest) => new RegisterNodesRequest { NodesToRegister = new NodeId[count] },
        nameof(UnregisterNodesRequest) => new UnregisterNodesRequest { NodesToUnregister = new NodeId[count] },
        nameof(CallRequest) => new CallRequest { MethodsToCall = new CallMethodRequest[count] },
        nameof(ReadRequest) => new ReadRequest { NodesToRead = new ReadValueId[count] },
        nameof(WriteRequest) => new WriteRequest { NodesToWrite = new WriteValue[count] },
        nameof(CreateMonitoredItemsRequest) =>
            new CreateMonitoredItemsRequest { ItemsToCreate = new MonitoredItemCreateRequest[count] },
        nameof(ModifyMonitoredItemsRequest) =>
            new ModifyMonitoredItemsRequest { ItemsToModify = new MonitoredItemModifyRequest[count] },
        nameof(DeleteMonitoredItemsRequest) => new DeleteMonitoredItemsRequest { MonitoredItemIds = new uint[count] },
        nameof(SetMonitoringModeRequest) => new SetMonitoringModeRequest { MonitoredItemIds = new uint[count] },
        nameof(SetTriggeringRequest) => new SetTriggeringRequest { LinksToAdd = new uint[count] },
        nameof(SetPublishingModeRequest) => new SetPublishingModeRequest { SubscriptionIds = new uint[count] },
        nameof(DeleteSubscriptionsRequest) => new DeleteSubscriptionsRequest { SubscriptionIds = new uint[count] },
        _ => new TransferSubscriptionsRequest { SubscriptionIds = new uint[count] },
    };
}
