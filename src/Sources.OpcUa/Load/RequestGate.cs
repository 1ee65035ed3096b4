using Gateway.Client;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>
/// Lets requests go to one upstream within its budget: so many at a time, so many and so many values in a second.
/// Those that do not fit wait, writes and calls before reads, and reads in turns between clients. A client's request
/// that waits longer than <see cref="UpstreamLimits.UpstreamBudgetPatience"/>, or that finds the queue full, is
/// refused: nothing of it was done. The gateway's own requests wait as long as it takes; each of its loops has one.
/// Threads: any. Errors: <see cref="UpstreamBudgetException"/>; Bad_ConnectionClosed for those that waited then.
/// </summary>
internal sealed class RequestGate : IDisposable
{
    private readonly Lock _lock = new();
    private readonly TimeProvider _time;
    private readonly UpstreamLimits _limits;
    private readonly Action<LoadBudget, string> _onRefused;
    private readonly Action<LoadCause?> _onChanged;
    private readonly WaitingRequests _waiting;
    private readonly PaceBucket _requests;
    private readonly PaceBucket _reads;
    private readonly ITimer _timer;
    private readonly LoadControl _control;
    private UpstreamBudget _budget;
    private bool _isDisposed;
    private int _acts;
    private int _others;

    /// <param name="budget">The most.</param>
    /// <param name="limits">Of the requests that wait.</param>
    /// <param name="time">Of paces and patience.</param>
    /// <param name="onRefused">A client's request is refused, and why. Called without the lock.</param>
    /// <param name="onChanged">The upstream gets less than its budget from now on, and why; null: all of it again.
    /// Called without the lock.</param>
    public RequestGate(
        UpstreamBudget budget, UpstreamLimits limits, TimeProvider time, Action<LoadBudget, string> onRefused,
        Action<LoadCause?> onChanged)
    {
        (_budget, _limits, _time, _onRefused, _onChanged) = (budget, limits, time, onRefused, onChanged);
        _waiting = new WaitingRequests(limits, time);
        _requests = new PaceBucket(time, budget.MaxRequestsPerSecond);
        _reads = new PaceBucket(time, budget.MaxReadsPerSecond);
        _control = new LoadControl(time, budget.MaxConcurrentRequests);
        _timer = time.CreateTimer(
            static gate => ((RequestGate)gate!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public GateState State
    {
        get
        {
            lock (_lock)
                return new GateState(
                    _control.Concurrency, _control.Pace, _waiting.Count, _acts + _others, _control.LastCause,
                    _control.LastCutAt, Array.ConvertAll(Enum.GetValues<LoadCause>(), _control.CutsFor));
        }
    }

    /// <summary>Another budget from now on; what is known of the upstream stays.</summary>
    public void Configure(UpstreamBudget budget)
    {
        lock (_lock)
        {
            _budget = budget;
            _control.Fit(budget.MaxConcurrentRequests);
            PaceUnderLock();
            PumpUnderLock();
        }
    }

    /// <summary>Until the request may go. Each that may go has to <see cref="Leave"/>.</summary>
    /// <param name="shape">Of the request.</param>
    /// <param name="client">Its turns are shared with those of others; null: the gateway itself.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    public ValueTask EnterAsync(RequestShape shape, string? client, CancellationToken cancellation)
    {
        WaitingRequest? waiting = null;
        lock (_lock)
        {
            if (_waiting.Count == 0 && WaitUnderLock(shape, out _) == TimeSpan.Zero)
            {
                GoUnderLock(shape);
                return ValueTask.CompletedTask;
            }

            if (_isDisposed)
                return ValueTask.FromException(Gone());
            if (client is null || _waiting.HasRoomFor(client))
            {
                waiting = _waiting.Add(shape, client);
                PumpUnderLock();
            }
        }

        if (waiting is null)
            return ValueTask.FromException(Refuse(LoadBudget.Waiting));
        return waiting.Turn.Task.IsCompleted || !cancellation.CanBeCanceled
            ? new ValueTask(waiting.Turn.Task)
            : WaitAsync(waiting, cancellation);
    }

    /// <summary>The request is over.</summary>
    /// <param name="shape">As it entered.</param>
    /// <param name="sentAt">A timestamp.</param>
    /// <param name="outcome">Good: an answer came; null: it says nothing.</param>
    public void Leave(RequestShape shape, long sentAt, StatusCode? outcome)
    {
        bool before, after;
        LoadCause? cause;
        lock (_lock)
        {
            _ = shape.Class == RequestClass.Act ? _acts-- : _others--;
            before = _control.IsReduced;
            var hasChanged = outcome is { } status &&
                (status.IsBad ? _control.Failed(shape, status, sentAt) : _control.Answered(shape, sentAt));
            (after, cause) = (_control.IsReduced, _control.LastCause);
            if (hasChanged)
                PaceUnderLock();
            PumpUnderLock();
        }

        if (before != after)
            _onChanged(after ? cause : null);
    }

    /// <summary>Clients do not wait for an upstream that is away.</summary>
    public void OnDisconnected()
    {
        List<WaitingRequest> gone;
        lock (_lock)
            gone = _waiting.TakeClients(TimeSpan.Zero);
        foreach (var request in gone)
            request.Turn.TrySetException(Gone());
    }

    /// <summary>The upstream is gone: who waits, or comes later, is told so. No timer would.</summary>
    public void Dispose()
    {
        lock (_lock)
            _isDisposed = true;
        OnDisconnected();
        _timer.Dispose();
    }

    private static ServiceException Gone() =>
        new(StatusCodes.BadConnectionClosed, "the connection ended before it was sent");

    private async ValueTask WaitAsync(WaitingRequest waiting, CancellationToken cancellation)
    {
        using var registration = cancellation.UnsafeRegister(
            (state, token) => Drop((WaitingRequest)state!, token), waiting);
        await waiting.Turn.Task.ConfigureAwait(false);
    }

    private void Drop(WaitingRequest waiting, CancellationToken cancellation)
    {
        lock (_lock)
        {
            if (!_waiting.Remove(waiting, goes: false))
                return;
            PumpUnderLock();
        }

        waiting.Turn.TrySetCanceled(cancellation);
    }

    private void OnTimer()
    {
        List<(WaitingRequest Request, LoadBudget Budget)> refused;
        lock (_lock)
        {
            // Those whose turn it is now are not refused.
            PumpUnderLock();
            refused = _waiting.TakeClients(_limits.UpstreamBudgetPatience).ConvertAll(request =>
            {
                WaitUnderLock(request.Shape, out var budget);
                return (request, budget);
            });
            PumpUnderLock();
        }

        foreach (var (request, budget) in refused)
            request.Turn.TrySetException(Refuse(budget));
    }

    private void GoUnderLock(RequestShape shape)
    {
        _ = shape.Class == RequestClass.Act ? _acts++ : _others++;
        _requests.Take(1);
        _reads.Take(shape.Reads);
    }

    private void PumpUnderLock()
    {
        while (_waiting.Count > 0)
        {
            var wait = Timeout.InfiniteTimeSpan;
            WaitingRequest? next = null;
            foreach (var one in _waiting.InOrder())
            {
                var its = WaitUnderLock(one.Shape, out var budget);
                if (its == TimeSpan.Zero)
                    next = one;
                else if (its != Timeout.InfiniteTimeSpan && (wait == Timeout.InfiniteTimeSpan || its < wait))
                    wait = its;
                // The first of them gets the next request of the pace.
                if (next is not null || budget == LoadBudget.Requests)
                    break;
            }

            if (next is null)
            {
                ArmUnderLock(wait);
                return;
            }

            _waiting.Remove(next, goes: true);
            GoUnderLock(next.Shape);
            next.Turn.TrySetResult();
        }
    }

    private void ArmUnderLock(TimeSpan wait)
    {
        if (_waiting.UntilFirst(_limits.UpstreamBudgetPatience) is { } patience &&
            (wait == Timeout.InfiniteTimeSpan || patience < wait))
            wait = patience;
        _timer.Change(wait, Timeout.InfiniteTimeSpan);
    }

    /// <returns>Zero: it may go. Infinite: when another one is over.</returns>
    private TimeSpan WaitUnderLock(RequestShape shape, out LoadBudget budget)
    {
        budget = LoadBudget.Concurrency;
        var most = _control.Concurrency;
        // One place is kept for writes and calls: a slow read does not hold them up.
        var isFull = _acts + _others >= most ||
            (shape.Class != RequestClass.Act && _others >= Math.Max(1, most - 1));
        if (isFull)
            return Timeout.InfiniteTimeSpan;
        budget = LoadBudget.Requests;
        var wait = _requests.WaitFor(1);
        if (wait > TimeSpan.Zero)
            return wait;
        budget = LoadBudget.Reads;
        return _reads.WaitFor(shape.Reads);
    }

    private void PaceUnderLock()
    {
        _requests.PerSecond = _budget.MaxRequestsPerSecond * _control.Pace;
        _reads.PerSecond = _budget.MaxReadsPerSecond * _control.Pace;
    }

    private UpstreamBudgetException Refuse(LoadBudget budget)
    {
        var (state, allowed) = (State, _budget);
        var text = budget switch
        {
            LoadBudget.Waiting =>
                $"as many requests wait as may (Limits:{nameof(UpstreamLimits.MaxUpstreamWaitingRequests)})",
            LoadBudget.Reads => Spent($"{allowed.MaxReadsPerSecond} values read in a second (MaxReadsPerSecond)"),
            LoadBudget.Requests => Spent($"{allowed.MaxRequestsPerSecond} requests in a second (MaxRequestsPerSecond)"),
            _ => Spent($"{allowed.MaxConcurrentRequests} requests at a time (MaxConcurrentRequests)"),
        };
        if (state is { Pace: < 1, LastCause: { } cause })
            text += $"; it gets {state.Pace:P0} of them at present ({cause})";
        _onRefused(budget, text);
        return new UpstreamBudgetException(budget, text);

        string Spent(string of) =>
            $"a request waited {_limits.UpstreamBudgetPatience.TotalSeconds:0.#} s for its turn among {of}";
    }
}
