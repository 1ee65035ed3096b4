using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Dispatch;
using Gateway.Server.Tests.Support;
using Gateway.Server.Work;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Server.Tests.Work;

/// <summary>Requests that are larger than a turn (R44). No worker runs: the test takes each turn by itself.</summary>
public sealed class RequestTurnTests : IDisposable
{
    private readonly ServerFixture _fixture = new(options => options with
    {
        Limits = options.Limits with { RequestWorkers = 0, MaxWorkPerTurn = 100, MaxImmediateRequestBytes = 4096 },
    });

    private ServerCounters Counters => _fixture.Server.Counters;

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task Translate_LargerThanATurn_AnotherClientIsAnsweredBetweenItsTurns()
    {
        var large = await _fixture.ConnectAsync();
        var small = await _fixture.ConnectAsync();

        var request = large.Send(TestRequests.Translate(paths: 30));
        Assert.False(large.Link.IsAnswered(request));
        for (var turns = 1; _fixture.Server.Work.RunOne(); turns++)
        {
            var read = small.Send(TestRequests.Read(1));
            Assert.True(small.Link.IsAnswered(read));
            Assert.True(turns < 100);
        }

        var (status, response) = await large.AnswerAsync<TranslateBrowsePathsToNodeIdsResponse>(request);
        Assert.True(status.IsGood);
        Assert.All(response!.Results!, result => Assert.Single(result.Targets!));
        Assert.Equal(1, Counters.DeferredRequests);
        await AssertNothingIsLeftAsync(large);
    }

    [Fact]
    public async Task Read_LargeMessage_IsDecodedInALaterTurn()
    {
        var client = await _fixture.ConnectAsync();

        var request = client.Send(TestRequests.Read(1000));
        Assert.False(client.Link.IsAnswered(request));
        Assert.Equal(1, Counters.UnfinishedRequests);
        Assert.False(client.Link.Unfinished!.Done.IsCompleted);
        Assert.True(client.Link.Unfinished.HeldBytes > 4096);
        Assert.True(_fixture.Server.Work.RunOne());

        Assert.True(client.Link.IsAnswered(request));
        Assert.True(client.Link.Unfinished.Done.IsCompleted);
        Assert.Equal(0, Counters.UnfinishedRequests);
    }

    /// <summary>The connection waits for the end of the turn, whatever went wrong in it (R37, R40).</summary>
    [Fact]
    public async Task Read_HandlerThrows_TheTurnFailsAndEnds()
    {
        var client = await _fixture.ConnectAsync();
        var request = client.Send(TestRequests.Read(1000));
        _fixture.Server.Work.Handler = static _ => throw new InsufficientMemoryException();

        Assert.True(_fixture.Server.Work.RunOne());

        Assert.True(client.Link.Unfinished!.Done.IsCompleted);
        Assert.Equal(0, Counters.UnfinishedRequests);
        Assert.Equal(StatusCodes.BadInternalError, await client.FaultAsync(request));
    }

    [Fact]
    public async Task Read_FlushThrows_TheTurnEndsAndItsMemoryIsGivenBack()
    {
        var client = await _fixture.ConnectAsync();
        var request = client.Send(TestRequests.Read(1000));
        client.Link.FailsToFlush = true;

        Assert.True(_fixture.Server.Work.RunOne());

        Assert.True(client.Link.IsAnswered(request));
        Assert.True(client.Link.Unfinished!.Done.IsCompleted);
        Assert.Equal(0, Counters.UnfinishedRequests);
        Assert.True(((RequestTurn)client.Link.Unfinished).Message.IsEmpty);
    }

    [Fact]
    public async Task Read_SmallMessage_IsAnsweredAtOnce()
    {
        var client = await _fixture.ConnectAsync();
        Assert.True(client.Link.IsAnswered(client.Send(TestRequests.Read(100))));
        Assert.Equal(0, Counters.DeferredRequests);
    }

    [Fact]
    public async Task Read_LargeAnswer_IsMadeInALaterTurn()
    {
        _fixture.Values.Set(
            _fixture.Find(TestPlant.ByteString), new DataValue(Variant.FromByteString(new byte[300_000])));
        var client = await _fixture.ConnectAsync();

        var request = client.Send(TestRequests.Read(3, TestPlant.ByteString));
        Assert.False(client.Link.IsAnswered(request));
        Assert.True(_fixture.Server.Work.RunOne());

        var (_, response) = await client.AnswerAsync<ReadResponse>(request);
        Assert.All(response!.Results!, value => Assert.Equal(300_000, value.Value.AsByteString()!.Length));
    }

    /// <summary>What a client is charged for is what was rented, not what it sent.</summary>
    [Fact]
    public async Task Read_LargeMessage_CountsByItsArray()
    {
        var client = await _fixture.ConnectAsync();
        client.Send(TestRequests.Read(1000));
        Assert.True(System.Numerics.BitOperations.IsPow2(client.Link.Unfinished!.HeldBytes));
        Assert.True(_fixture.Server.Work.RunOne());
    }

    /// <summary>A part costs as much as the whole value.</summary>
    [Fact]
    public async Task Read_PartsOfALargeValue_GoToTheWorkers()
    {
        var client = await _fixture.ConnectAsync();
        Assert.True(client.Link.IsAnswered(client.Send(Parts(2))));
        SetLargeArray();

        var request = client.Send(Parts(2));
        Assert.False(client.Link.IsAnswered(request));
        Assert.True(_fixture.Server.Work.RunOne());

        var (_, response) = await client.AnswerAsync<ReadResponse>(request);
        Assert.All(response!.Results!, value => Assert.Equal([7], value.Value.AsArray<int>()!));
    }

    [Fact]
    public async Task Read_PartsBehindASource_GoToTheWorkers()
    {
        var client = await _fixture.ConnectAsync();
        SetLargeArray();
        var request = client.Send(new ReadRequest
        {
            NodesToRead =
            [
                new ReadValueId { NodeId = TestPlant.Slow, AttributeId = (uint)AttributeId.Value },
                .. Parts(2).NodesToRead!,
            ],
        });
        Assert.False(client.Link.IsAnswered(request));
        Assert.True(_fixture.Server.Work.RunOne());
        var (_, response) = await client.AnswerAsync<ReadResponse>(request);
        Assert.Equal([7], response!.Results![2].Value.AsArray<int>()!);
    }

    [Fact]
    public async Task Read_PartsBeyondAllWorkOfARequest_AreRefused()
    {
        using var fixture = new ServerFixture(options => options with
        {
            Limits = options.Limits with { RequestWorkers = 0, MaxWorkPerTurn = 100, MaxWorkPerRequest = 1_500 },
        });
        var client = await fixture.ConnectAsync();
        fixture.Values.Set(fixture.Find(TestPlant.Int32Array), LargeArray());
        var request = client.Send(Parts(5));
        Assert.True(fixture.Server.Work.RunOne());
        var (_, response) = await client.AnswerAsync<ReadResponse>(request);
        Assert.Equal(
            [false, false, true, true, true],
            response!.Results!.Select(value => value.Status == StatusCodes.BadResourceUnavailable));
    }

    [Fact]
    public async Task Write_PartsOfALargeValue_GoToTheWorkersAndAreDoneOnce()
    {
        var client = await _fixture.ConnectAsync("operator");
        SetLargeArray();
        var request = client.Send(new WriteRequest
        {
            NodesToWrite =
            [
                .. Enumerable.Range(0, 3).Select(place => new WriteValue
                {
                    NodeId = TestPlant.Int32Array,
                    AttributeId = (uint)AttributeId.Value,
                    IndexRange = $"{place}",
                    Value = new DataValue(Variant.FromArray(BuiltInType.Int32, new[] { place + 1 })),
                }),
            ],
        });
        Assert.False(client.Link.IsAnswered(request));
        Assert.True(_fixture.Server.Work.RunOne());
        var (_, response) = await client.AnswerAsync<WriteResponse>(request);
        Assert.All(response!.Results!, result => Assert.Equal(StatusCode.Good, result));
        var written = _fixture.Values.Read(_fixture.Find(TestPlant.Int32Array)).Value.AsArray<int>()!;
        Assert.Equal([1, 2, 3, 7], written[..4]);
    }

    /// <summary>A small Write that makes the server decode large lists is no small work (R44).</summary>
    [Theory]
    [InlineData(2, true)]
    [InlineData(2_000, false)]
    public async Task Write_ManyAllowedValues_GoesToTheWorkers(int listed, bool isAnsweredAtOnce)
    {
        var client = await _fixture.ConnectAsync("operator");
        SetEnumValues(listed);
        var request = client.Send(WriteState(listed - 1, listed));
        Assert.Equal(isAnsweredAtOnce, client.Link.IsAnswered(request));
        Assert.Equal(!isAnsweredAtOnce, _fixture.Server.Work.RunOne());
        var (_, response) = await client.AnswerAsync<WriteResponse>(request);
        Assert.Equal([StatusCodes.Good, StatusCodes.BadOutOfRange], response!.Results!.Select(one => one.Code));
    }

    [Fact]
    public async Task Write_MoreAllowedValuesThanAreChecked_IsLeftToTheSource()
    {
        var client = await _fixture.ConnectAsync("operator");
        SetEnumValues(5_000);
        var request = client.Send(WriteState(5_000));
        while (_fixture.Server.Work.RunOne())
        {
        }

        var (_, response) = await client.AnswerAsync<WriteResponse>(request);
        Assert.Equal([StatusCodes.Good], response!.Results!.Select(one => one.Code));
    }

    private void SetEnumValues(int count) => _fixture.Values.Set(
        _fixture.Find(new NodeId("ValueState.EnumValues", 1)),
        new DataValue(Variant.FromArray(BuiltInType.ExtensionObject, Enumerable.Range(0, count)
            .Select(i => new ExtensionObject(new EnumValueType { Value = count - 1 - i })).ToArray())));

    private static WriteRequest WriteState(params int[] values) => new()
    {
        NodesToWrite =
        [
            .. values.Select(value => new WriteValue
            {
                NodeId = new NodeId("ValueState", 1),
                AttributeId = (uint)AttributeId.Value,
                Value = new DataValue(new Variant(value)),
            }),
        ],
    };

    [Fact]
    public async Task Turns_ClientsOfManyAndOfOneConnection_TakeThemInACircle()
    {
        var many = new List<TestClient>();
        for (var i = 0; i < 3; i++)
            many.Add(await ConnectFromAsync("10.0.0.1"));
        var one = await ConnectFromAsync("10.0.0.2");

        var requests = many.ConvertAll(client => client.Send(TestRequests.Read(1000)));
        var last = one.Send(TestRequests.Read(1000));
        _fixture.Server.Work.RunOne();
        _fixture.Server.Work.RunOne();

        Assert.True(many[0].Link.IsAnswered(requests[0]));
        Assert.True(one.Link.IsAnswered(last));
        Assert.False(many[1].Link.IsAnswered(requests[1]));
    }

    [Fact]
    public async Task Work_ConnectionCloses_EndsUnanswered()
    {
        var client = await _fixture.ConnectAsync();
        var request = client.Send(TestRequests.Translate(30));
        client.Close();

        Assert.True(_fixture.Server.Work.RunOne());
        Assert.False(_fixture.Server.Work.RunOne());
        Assert.False(client.Link.IsAnswered(request));
        await AssertNothingIsLeftAsync(client);
    }

    [Fact]
    public async Task Work_PeerHangsUp_EndsWithTheTurnAtHand()
    {
        var client = await _fixture.ConnectAsync();
        client.Send(TestRequests.Translate(30));
        client.Link.Unfinished!.Leave();

        Assert.True(_fixture.Server.Work.RunOne());
        Assert.False(_fixture.Server.Work.RunOne());
        await AssertNothingIsLeftAsync(client);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Work_SessionTimesOut_IsAnsweredSessionClosed(bool isLargeMessage)
    {
        var client = await _fixture.ConnectAsync();
        var request = client.Send(isLargeMessage ? TestRequests.Read(1000) : TestRequests.Translate(30));
        _fixture.Time.Advance(TimeSpan.FromMinutes(2).TotalMilliseconds);

        Assert.True(_fixture.Server.Work.RunOne());
        Assert.Equal(StatusCodes.BadSessionClosed, (await client.FaultAsync(request)).CodeBits);
        await AssertNothingIsLeftAsync(client);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Work_SessionGetsAnotherUser_GivesNothingAway(bool isLargeMessage)
    {
        var client = await _fixture.ConnectAsync("engineer");
        var request = client.Send(isLargeMessage ? TestRequests.Read(1000) : TestRequests.Translate(30));
        await client.ActivateAsync("observer");

        Assert.True(_fixture.Server.Work.RunOne());
        Assert.Equal(StatusCodes.BadUserAccessDenied, (await client.FaultAsync(request)).CodeBits);
        await AssertNothingIsLeftAsync(client);
    }

    [Fact]
    public async Task Work_TimeoutHintPasses_IsAnsweredTimeout()
    {
        var client = await _fixture.ConnectAsync();
        var request = client.Send(TestRequests.Translate(30), timeoutHint: 500);
        // The client's patience began on its side, and is nearly over.
        _fixture.Time.Advance(460);

        Assert.True(_fixture.Server.Work.RunOne());
        Assert.Equal(StatusCodes.BadTimeout, (await client.FaultAsync(request)).CodeBits);
    }

    [Fact]
    public async Task Take_ClockShowsThatTheSliceIsOver_TurnEnds()
    {
        var client = await _fixture.ConnectAsync();
        using var queue = new WorkQueue(
            new ServerLimits { RequestWorkers = 0 }, Counters, _fixture.Time, NullLogger<WorkQueue>.Instance,
            static _ => { });
        var turn = TurnOf(queue, client);

        Assert.True(turn.Take(1000));
        _fixture.Time.Advance(1.9);
        Assert.True(turn.Take(1000));
        _fixture.Time.Advance(0.1);
        Assert.False(turn.Take(1000));
        Assert.False(turn.IsSpent);
    }

    [Fact]
    public async Task Translate_AllThatOneRequestMayDo_TheRestIsTooComplex()
    {
        using var fixture = new ServerFixture(options => options with
        {
            Limits = options.Limits with { MaxWorkPerRequest = 300 },
        });
        var client = await fixture.ConnectAsync();
        var response = await client.CallAsync<TranslateBrowsePathsToNodeIdsResponse>(TestRequests.Translate(300));

        Assert.True(response.Results![0].StatusCode.IsGood);
        Assert.Equal(StatusCodes.BadQueryTooComplex, response.Results[^1].StatusCode.CodeBits);
        Assert.True(fixture.Server.Counters.WorkRefused > 0);
    }

    [Fact]
    public async Task Call_AllThatOneRequestMayDo_TheRestIsRefused()
    {
        using var fixture = new ServerFixture(options => options with
        {
            Limits = options.Limits with { MaxWorkPerRequest = 200 },
        });
        var client = await fixture.ConnectAsync();
        var response = await client.CallAsync<CallResponse>(TestRequests.Call(20));

        Assert.True(response.Results![0].StatusCode.IsGood);
        Assert.Equal(StatusCodes.BadResourceUnavailable, response.Results[^1].StatusCode.CodeBits);
        Assert.True(fixture.Server.Counters.WorkRefused > 0);
    }

    private RequestTurn TurnOf(WorkQueue queue, TestClient client)
    {
        var responder = new Responder(_fixture.Time, Counters);
        var call = new ServiceCall((ChannelState)client.Channel.Owner!, 1, responder, queue);
        return call.Turn;
    }

    private async Task<TestClient> ConnectFromAsync(string address)
    {
        var client = _fixture.Connect(address: address);
        await client.CreateSessionAsync();
        await client.ActivateAsync();
        return client;
    }

    private async Task AssertNothingIsLeftAsync(TestClient client)
    {
        await client.Link.Unfinished!.Done.WaitAsync(Patience.Limit);
        Assert.Equal(0, _fixture.Server.Work.Waiting);
        Assert.Equal(0, Counters.UnfinishedRequests);
    }

    private void SetLargeArray() => _fixture.Values.Set(_fixture.Find(TestPlant.Int32Array), LargeArray());

    private static DataValue LargeArray()
    {
        var numbers = new int[10_000];
        Array.Fill(numbers, 7);
        return new DataValue(Variant.FromArray(BuiltInType.Int32, numbers));
    }

    private static ReadRequest Parts(int count) => new()
    {
        NodesToRead =
        [
            .. Enumerable.Range(0, count).Select(_ => new ReadValueId
            {
                NodeId = TestPlant.Int32Array,
                AttributeId = (uint)AttributeId.Value,
                IndexRange = "5",
            }),
        ],
    };
}
