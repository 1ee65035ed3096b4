using Gateway.Operations;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Work;

/// <summary>
/// The turns of requests that are larger than one, and the workers that take them: few threads, less urgent than those
/// of sockets and shards, so that a live client's small request goes first. What waits here is bounded by the
/// connections: each has one unfinished request at most. Owner: <see cref="GatewayServer"/>. Thread-safe.
/// </summary>
internal sealed partial class WorkQueue : IDisposable
{
    private readonly FairTurns _turns = new();
    private readonly SemaphoreSlim _waiting = new(0);
    private readonly ServerCounters _counters;
    private readonly ILogger _logger;
    private readonly Action<Exception> _logFault;
    private volatile bool _stopping;

    /// <param name="limits">No workers: nothing goes on but by <see cref="RunOne"/>.</param>
    /// <param name="counters">Of the server.</param>
    /// <param name="clock">Of turns and time-outs.</param>
    /// <param name="logger">For our own faults.</param>
    /// <param name="handler">What a request does that was deferred whole.</param>
    public WorkQueue(
        ServerLimits limits, ServerCounters counters, TimeProvider clock, ILogger<WorkQueue> logger,
        Action<RequestTurn> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        Handler = handler;
        (Limits, OperationLimits, Clock) = (limits, limits.Operations, clock);
        (_counters, _logger) = (counters, logger);
        _logFault = LogWorkFailed;
        for (var i = 0; i < limits.RequestWorkers; i++)
            new Thread(Work) { IsBackground = true, Name = "request " + i }.Start();
    }

    public ServerLimits Limits { get; }

    public OperationLimits OperationLimits { get; }

    public TimeProvider Clock { get; }

    public int Waiting => _turns.Count;

    /// <summary>What a request does that was deferred whole.</summary>
    public Action<RequestTurn> Handler { get; set; }

    /// <summary>Behind the requests of all other clients that wait.</summary>
    public void Enqueue(RequestTurn turn)
    {
        _counters.CountTurn();
        _turns.Add(ClientOf(turn), turn);
        if (!_stopping)
            _waiting.Release();
    }

    /// <summary>One turn. False where nothing waits.</summary>
    public bool RunOne()
    {
        if (_turns.TryTake() is not { } turn)
            return false;
        try
        {
            turn.Run();
        }
#pragma warning disable CA1031 // our own fault ends this request, never the worker (R40)
        catch (Exception exception)
#pragma warning restore CA1031
        {
            OnFailed(exception);
            turn.Abandon();
        }

        return true;
    }

    public void Begun() => _counters.CountDeferred(1);

    public void Ended() => _counters.CountDeferred(-1);

    public void CountRefused() => _counters.CountWorkRefused();

    public void OnFailed(Exception exception) => Contained.Report(exception, _logFault);

    /// <summary>The workers end after the turn at hand.</summary>
    public void Dispose()
    {
        _stopping = true;
        _waiting.Release(Math.Max(1, Limits.RequestWorkers));
    }

    /// <summary>By certificate, else by address; a channel that admission does not know stands for itself.</summary>
    private static object ClientOf(RequestTurn turn) =>
        turn.Channel.Connection.Pass is { } pass
            ? pass.Certificate ?? pass.Address
            : turn.Channel.User?.Account ?? (object)turn.Channel;

    private void Work()
    {
        WorkerPriority.Lower();
        while (true)
        {
            _waiting.Wait();
            if (_stopping)
                return;
            RunOne();
        }
    }
}
