using Gateway.Operations;
using Gateway.Operations.Access;
using Gateway.Operations.Work;

namespace Gateway.Rest.Access;

/// <summary>The work of one HTTP request. The first turn runs on its arrival. Later turns wait behind the other
/// requests that need more than one (<see cref="TurnLane"/>), without a thread. Its user never changes, because its
/// deadline is short. Owner: its handler, which disposes it.</summary>
internal sealed class RestRequest : WorkTurn, IRequester, IDisposable
{
    private readonly TurnLane _lane;
    private readonly TimeSpan _time;
    private readonly CancellationToken _gone;
    private readonly long _since;
    private CancellationTokenSource? _deadline;
    private CancellationTokenSource? _either;
    private bool _isInLane;
    private bool _isAnswering;

    /// <param name="caller">Its user.</param>
    /// <param name="limits">Of its work.</param>
    /// <param name="lane">For later turns.</param>
    /// <param name="memory">Becomes the request's.</param>
    /// <param name="time">Until its deadline.</param>
    /// <param name="gone">The client has gone.</param>
    public RestRequest(
        Caller caller, OperationLimits limits, TurnLane lane, RequestMemory memory, TimeSpan time,
        CancellationToken gone)
        : base(limits, lane.Time)
    {
        (Caller, _lane, Memory, _time, _gone) = (caller, lane, memory, time, gone);
        _since = Begin();
    }

    public override Caller Caller { get; }

    public RequestMemory Memory { get; }

    public bool IsUserChanged => false;

    public Caller PresentCaller => Caller;

    /// <summary>The client has gone, or its time is over. A request that waits for nothing does not ask for it, and so
    /// has no timer.</summary>
    public CancellationToken CancellationToken => _isAnswering ? _gone : (_either ?? StartDeadline()).Token;

    /// <summary>Its time is over, and the work was to end by that.</summary>
    public bool IsLate => _deadline is { IsCancellationRequested: true };

    public override async ValueTask NextAsync()
    {
        Leave();
        await _lane.EnterAsync(Caller.Account, CancellationToken).ConfigureAwait(false);
        _isInLane = true;
        Begin();
    }

    public override bool TryHold(long bytes) => Memory.TryHold(bytes);

    public override void CountRefused() => _lane.CountRefused();

    /// <summary>The request has all that it asked for: its client may take that at its own pace. The wait for sources
    /// was no work, so the answer begins with a turn.</summary>
    public void BeginAnswer()
    {
        EndDeadline();
        if (!_isInLane)
            Begin();
    }

    /// <summary>The same where it waited for nobody: its turn goes on.</summary>
    public void EndDeadline() => _isAnswering = true;

    /// <summary>The request waits for a source or for its client without a place that others need. Work behind that is
    /// of a turn of its own.</summary>
    public void EndTurns()
    {
        if (!_isInLane)
            return;
        Leave();
        EndTurn();
    }

    /// <summary>For a piece of the answer. If the client must be waited for, the place goes to others. If not, the turn
    /// goes on: a new one would cost two changes of threads.</summary>
    public ValueTask WhileSent(ValueTask sent)
    {
        if (!sent.IsCompleted)
            EndTurns();
        return sent;
    }

    public void Dispose()
    {
        Leave();
        Memory.Dispose();
        _either?.Dispose();
        _deadline?.Dispose();
    }

    private CancellationTokenSource StartDeadline()
    {
        var left = _time - _lane.Time.GetElapsedTime(_since);
        _deadline = new CancellationTokenSource(left > TimeSpan.Zero ? left : TimeSpan.Zero, _lane.Time);
        return _either = CancellationTokenSource.CreateLinkedTokenSource(_deadline.Token, _gone);
    }

    private void Leave()
    {
        if (_isInLane)
            _lane.Leave();
        _isInLane = false;
    }
}
