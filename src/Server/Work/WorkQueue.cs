using Gateway.Operations;
using Gateway.Transport.Security;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Work;

/// <summary>
/// The queue of requests that are larger than one turn, and its workers. The workers are few and less urgent than the
/// threads of sockets and shards, so that a live client's small request goes first. The number of connections bounds
/// the queue: each has one unfinished request at most. Owner: <see cref="GatewayServer"/>. Thread-safe.
/// </summary>
internal sealed partial class WorkQueue : IDisposable
{
    private readonly FairTurns _turns = new();
    private readonly SemaphoreSlim _waiting = new(0);
    private readonly ServerCounters _counters;
    private readonly ILogger _logger;
    private readonly Action<Exception> _logFault;
    private volatile bool _stopping;

    /// <param name="limits">Zero workers: only <see cref="RunOne"/> runs turns.</param>
    /// <param name="counters">The server's counters.</param>
    /// <param name="clock">For turns and time-outs.</param>
    /// <param name="logger">For internal errors.</param>
    /// <param name="handler">Handles a deferred request.</param>
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

    /// <summary>Handles a deferred request.</summary>
    public Action<RequestTurn> Handler { get; set; }

    /// <summary>Enqueues behind the waiting requests of all other clients.</summary>
    public void Enqueue(RequestTurn turn)
    {
        _counters.CountTurn();
        _turns.Add(ClientOf(turn), turn);
        if (!_stopping)
            _waiting.Release();
    }

    /// <summary>Runs one turn. False: the queue is empty.</summary>
    public bool RunOne()
    {
        if (_turns.TryTake() is not { } turn)
            return false;
        try
        {
            turn.Run();
        }
#pragma warning disable CA1031 // internal error: ends this request, never the worker (R40)
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

    /// <summary>The workers end after their present turn.</summary>
    public void Dispose()
    {
        _stopping = true;
        _waiting.Release(Math.Max(1, Limits.RequestWorkers));
    }

    /// <summary>The certificate, otherwise the address; a channel unknown to admission stands for itself.</summary>
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
