using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Load;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Load;

/// <summary>The order in which requests go, and when they are refused.</summary>
public sealed class RequestGateTests : IDisposable
{
    private static readonly RequestShape Write = new(RequestClass.Act, 0, 1, IsTimed: true);
    private static readonly RequestShape Upkeep = new(RequestClass.Upkeep, 0, 1, IsTimed: true);

    private readonly ManualTimeProvider _time = new();
    private readonly List<LoadBudget> _refused = [];
    private readonly List<LoadCause?> _changes = [];
    private RequestGate? _gate;

    public void Dispose() => _gate?.Dispose();

    /// <summary>No timer would end its waiting.</summary>
    [Fact]
    public async Task Enter_BehindTheEnd_IsToldSo()
    {
        var gate = Make(new UpstreamBudget(0, 1, 100, 100));
        Assert.True(Enter(gate, Read(1), "a").IsCompletedSuccessfully);
        var waiting = Enter(gate, Read(1), "a");

        gate.Dispose();

        var late = Enter(gate, Read(1), "b");
        foreach (var one in new[] { waiting, late })
        {
            var told = await Assert.ThrowsAsync<ServiceException>(() => one);
            Assert.Equal(StatusCodes.BadConnectionClosed, told.Status);
        }
    }

    [Fact]
    public void Enter_AboveTheConcurrency_WaitsUntilOneIsOver()
    {
        var gate = Make(new UpstreamBudget(0, 3, 100, 100));
        // One place is kept for writes.
        Assert.True(Enter(gate, Read(1), "a").IsCompletedSuccessfully);
        Assert.True(Enter(gate, Read(1), "a").IsCompletedSuccessfully);
        var third = Enter(gate, Read(1), "a");
        Assert.False(third.IsCompleted);

        Assert.True(Enter(gate, Write, "a").IsCompletedSuccessfully);
        var second = Enter(gate, Write, "a");
        Assert.False(second.IsCompleted);

        gate.Leave(Write, 0, StatusCode.Good);
        Assert.True(second.IsCompletedSuccessfully);
        Assert.False(third.IsCompleted);
        gate.Leave(Read(1), 0, StatusCode.Good);
        Assert.True(third.IsCompletedSuccessfully);
        Assert.Equal((0, 3), (gate.State.Waiting, gate.State.UnderWay));
    }

    [Fact]
    public void Enter_AboveThePace_GoesWhenItIsDue()
    {
        var gate = Make(new UpstreamBudget(0, 100, 10, 1_000));
        for (var i = 0; i < 10; i++)
            Assert.True(Enter(gate, Read(1), "a").IsCompletedSuccessfully);
        Task[] waiting = [Enter(gate, Read(1), "a"), Enter(gate, Read(1), "a")];

        _time.Advance(99);
        Assert.DoesNotContain(waiting, static one => one.IsCompleted);
        _time.Advance(2);
        Assert.Equal([true, false], waiting.Select(static one => one.IsCompletedSuccessfully));
        _time.Advance(100);
        Assert.True(waiting[1].IsCompletedSuccessfully);
    }

    /// <summary>A large one may go ahead of its time; those behind it wait the longer.</summary>
    [Fact]
    public void Enter_ManyValues_CountByTheValues()
    {
        var gate = Make(new UpstreamBudget(0, 100, 1_000, 100));
        Assert.True(Enter(gate, Read(300), "a").IsCompletedSuccessfully);
        var next = Enter(gate, Read(100), "a");
        Assert.True(Enter(gate, Upkeep, null).IsCompletedSuccessfully);

        _time.Advance(2_900);
        Assert.False(next.IsCompleted);
        _time.Advance(200);
        Assert.True(next.IsCompletedSuccessfully);
    }

    [Fact]
    public void Enter_WritesUpkeepAndReadsWait_InThatOrder()
    {
        var gate = Make(new UpstreamBudget(0, 100, 1, 100));
        Assert.True(Enter(gate, Read(1), "a").IsCompletedSuccessfully);
        var (read, upkeep, write) = (
            _ = Enter(gate, Read(1), "a"), Enter(gate, Upkeep, null), Enter(gate, Write, "b"));

        List<(bool, bool, bool)> seen = [];
        for (var i = 0; i < 3; i++)
        {
            _time.Advance(1_000);
            seen.Add((write.IsCompleted, upkeep.IsCompleted, read.IsCompleted));
        }

        Assert.Equal([(true, false, false), (true, true, false), (true, true, true)], seen);
    }

    [Fact]
    public void Enter_FloodOfWrites_AReadGoesNowAndThen()
    {
        var gate = Make(new UpstreamBudget(0, 100, 10, 100), patienceMs: 60_000);
        for (var i = 0; i < 10; i++)
            _ = Enter(gate, Write, "a");
        var writes = Enumerable.Range(0, 30).Select(_ => Enter(gate, Write, "a")).ToList();
        var read = Enter(gate, Read(1), "b");

        while (!read.IsCompleted)
            _time.Advance(100);

        Assert.Equal(9, writes.Count(static one => one.IsCompleted));
    }

    [Fact]
    public void Enter_OneClientAsksMuchMore_TheOtherWaitsNoLongerForIt()
    {
        var gate = Make(new UpstreamBudget(0, 1_000, 10, 10_000), patienceMs: 60_000);
        for (var i = 0; i < 10; i++)
            _ = Enter(gate, Read(1), "greedy");
        var greedy = Enumerable.Range(0, 100).Select(_ => Enter(gate, Read(1), "greedy")).ToList();
        var modest = Enumerable.Range(0, 5).Select(_ => Enter(gate, Read(1), "modest")).ToList();

        _time.Advance(1_100);

        Assert.Equal(5, modest.Count(static one => one.IsCompleted));
        Assert.InRange(greedy.Count(static one => one.IsCompleted), 5, 6);
    }

    /// <summary>What a request costs counts, not how many there are.</summary>
    [Fact]
    public void Enter_OneClientAsksForLargerOnes_SameShareOfValues()
    {
        var gate = Make(new UpstreamBudget(0, 1_000, 1_000, 1_000), patienceMs: 60_000);
        _ = Enter(gate, Read(1_000), "large");
        var large = Enumerable.Range(0, 20).Select(_ => Enter(gate, Read(490), "large")).ToList();
        var small = Enumerable.Range(0, 400).Select(_ => Enter(gate, Read(40), "small")).ToList();

        _time.Advance(8_000);

        var (first, second) = (490 * large.Count(static one => one.IsCompleted),
            40 * small.Count(static one => one.IsCompleted));
        Assert.InRange(first + second, 7_500, 8_500);
        Assert.InRange((double)first / second, 0.8, 1.4);
    }

    /// <summary>Requests that never went are no share of the controller.</summary>
    [Fact]
    public async Task Enter_ClientHasGivenUpMany_ItsNextOneDoesNotWaitForThem()
    {
        var gate = Make(new UpstreamBudget(0, 1_000, 10, 1_000), patienceMs: 60_000);
        while (Enter(gate, Read(1), "other").IsCompleted)
        {
            // Until they wait.
        }

        using var gone = new CancellationTokenSource();
        var given = Enumerable.Range(0, 20).Select(_ => gate.EnterAsync(Read(1), "one", gone.Token).AsTask()).ToList();
        await gone.CancelAsync();
        foreach (var one in given)
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one);
        var others = Enumerable.Range(0, 10).Select(_ => Enter(gate, Read(1), "other")).ToList();

        var next = Enter(gate, Read(1), "one");

        _time.Advance(400);
        Assert.True(next.IsCompleted);
        Assert.False(others[^1].IsCompleted);
    }

    [Theory]
    [InlineData(1, 100, 100, LoadBudget.Concurrency)]
    [InlineData(100, 1, 100, LoadBudget.Requests)]
    [InlineData(100, 100, 1, LoadBudget.Reads)]
    public async Task UpstreamBudgetPatience_Over_RefusedAndWhyIsTold(
        int concurrency, int requests, int reads, LoadBudget budget)
    {
        var gate = Make(new UpstreamBudget(0, concurrency, requests, reads), patienceMs: 3_000);
        _ = Enter(gate, Read(budget == LoadBudget.Reads ? 200 : 1), "a");
        // The pace alone would let it go in time.
        if (budget == LoadBudget.Requests)
        {
            for (var i = 0; i < 5; i++)
                _ = Enter(gate, Upkeep, null);
        }

        var waiting = Enter(gate, Read(1), "a");
        _time.Advance(2_900);
        Assert.False(waiting.IsCompleted);
        _time.Advance(200);

        var refused = await Assert.ThrowsAsync<UpstreamBudgetException>(() => waiting);
        Assert.Equal(budget, refused.Budget);
        Assert.Equal([budget], _refused);
        Assert.Contains("Max", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void UpstreamBudgetPatience_OfTheGatewaysOwn_NeverOver()
    {
        var gate = Make(new UpstreamBudget(0, 1, 100, 100));
        _ = Enter(gate, Upkeep, null);
        var waiting = Enter(gate, Upkeep, null);

        _time.Advance(TimeSpan.FromHours(1));
        Assert.False(waiting.IsCompleted);
        gate.Leave(Upkeep, 0, StatusCode.Good);

        Assert.True(waiting.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task MaxUpstreamWaitingRequests_OneClientWantsAll_TheLastSixthIsForOthers()
    {
        var gate = Make(new UpstreamBudget(0, 1, 100, 100), waiting: 12);
        _ = Enter(gate, Upkeep, null);
        var greedy = Enumerable.Range(0, 20).Select(_ => Enter(gate, Read(1), "greedy")).ToList();
        var modest = Enter(gate, Read(1), "modest");

        Assert.Equal(10, greedy.Count(static one => !one.IsCompleted));
        Assert.False(modest.IsCompleted);
        var refused = await Assert.ThrowsAsync<UpstreamBudgetException>(() => greedy[^1]);
        Assert.Equal(LoadBudget.Waiting, refused.Budget);
        Assert.Equal(10, _refused.Count);
    }

    [Fact]
    public async Task Cancel_WhileItWaits_TheNextGoesInItsPlace()
    {
        var gate = Make(new UpstreamBudget(0, 1, 100, 100));
        _ = Enter(gate, Read(1), "a");
        using var stop = new CancellationTokenSource();
        var (first, second) = (
            gate.EnterAsync(Read(1), "a", stop.Token).AsTask(), Enter(gate, Read(1), "a"));

        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        gate.Leave(Read(1), 0, null);

        Assert.True(second.IsCompletedSuccessfully);
        Assert.Equal((0, 1), (gate.State.Waiting, gate.State.UnderWay));
    }

    [Fact]
    public async Task OnDisconnected_ClientsWait_NoneWaitsOn()
    {
        var gate = Make(new UpstreamBudget(0, 1, 100, 100));
        _ = Enter(gate, Read(1), "a");
        var (client, own) = (Enter(gate, Read(1), "a"), Enter(gate, Upkeep, null));

        gate.OnDisconnected();

        Assert.True((await Assert.ThrowsAsync<ServiceException>(() => client)).IsConnectionLost);
        Assert.False(own.IsCompleted);
    }

    [Fact]
    public void Leave_Timeouts_LessAtATimeAndASlowerPaceThenAllAgain()
    {
        var gate = Make(new UpstreamBudget(0, 8, 10, 1_000));
        _ = Enter(gate, Read(1), "a");

        gate.Leave(Read(1), _time.GetTimestamp(), StatusCodes.BadTimeout);

        Assert.Equal((4, 0.5), (gate.State.Concurrency, gate.State.Pace));
        Assert.Equal([LoadCause.Timeout], _changes);
        for (var i = 0; i < 5; i++)
            Assert.True(Enter(gate, Upkeep, null).IsCompletedSuccessfully == i < 3);

        for (var i = 0; i < 20; i++)
        {
            _time.Advance(2_000);
            gate.Leave(Upkeep, _time.GetTimestamp(), StatusCode.Good);
            _ = Enter(gate, Upkeep, null);
        }

        Assert.Equal((8, 1.0), (gate.State.Concurrency, gate.State.Pace));
        Assert.Equal([LoadCause.Timeout, null], _changes);
    }

    private static RequestShape Read(int values) => new(RequestClass.Read, values, values, IsTimed: true);

    private static Task Enter(RequestGate gate, RequestShape shape, string? client) =>
        gate.EnterAsync(shape, client, default).AsTask();

    private RequestGate Make(UpstreamBudget budget, double patienceMs = 5_000, int waiting = 1_000)
    {
        var limits = new UpstreamLimits
        {
            MaxUpstreamWaitingRequests = waiting,
            UpstreamBudgetPatience = TimeSpan.FromMilliseconds(patienceMs),
        };
        return _gate = new RequestGate(
            budget, limits, _time, (kind, _) => _refused.Add(kind), _changes.Add);
    }
}
