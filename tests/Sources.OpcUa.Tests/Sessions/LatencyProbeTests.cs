using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Sessions;

/// <summary>How long answers take is known of an upstream that is asked for nothing else, too.</summary>
public sealed class LatencyProbeTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly FakeUpstream _upstream = new();
    private readonly List<TimeSpan> _answered = [];

    [Fact]
    public async Task Invoke_Answered_ItsTimeIsTold()
    {
        await using var session = new MeasuredSession(new FakeUpstreamSession(_upstream), _time, _answered.Add);

        await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest { NodesToRead = [] }, default);

        Assert.Equal([TimeSpan.Zero], _answered);
    }

    [Fact]
    public async Task Invoke_Refused_HasNoLatency()
    {
        await using var session = new MeasuredSession(new FakeUpstreamSession(_upstream), _time, _answered.Add);
        _upstream.RequestStatus = StatusCodes.BadTimeout;

        await Assert.ThrowsAsync<Client.ServiceException>(async () =>
            await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest { NodesToRead = [] }, default));

        Assert.Empty(_answered);
    }

    /// <summary>A refusal ends neither the measuring nor the connection.</summary>
    [Fact]
    public async Task Run_OfAnIdleUpstream_ReadsItsStateAgainAndAgain()
    {
        await using var session = new FakeUpstreamSession(_upstream);
        using var end = new CancellationTokenSource();
        var running = LatencyProbe.RunAsync(session, _time, end.Token);

        for (var i = 1; i <= 4; i++)
        {
            _upstream.RequestStatus = i == 2 ? StatusCodes.BadTimeout : default;
            await AdvanceUntilAsync(i);
        }

        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        Assert.All(_upstream.Requests, static request => Assert.Equal(
            new NodeId(StandardIds.Variables.Server_ServerStatus_State),
            Assert.Single(Assert.IsType<ReadRequest>(request).NodesToRead!).NodeId));
    }

    /// <summary>The timer's waiter may not wait yet when time is moved: then it is moved again.</summary>
    private async Task AdvanceUntilAsync(int requests)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(20));
        while (Count() < requests)
        {
            _time.Advance(TimeSpan.FromSeconds(10));
            await look.WaitForNextTickAsync(patience.Token);
        }
    }

    private int Count()
    {
        lock (_upstream.Requests)
            return _upstream.Requests.Count;
    }
}
