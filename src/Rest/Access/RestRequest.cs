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
    private bool _isInLane;

    public RestRequest(
        Caller caller, OperationLimits limits, TurnLane lane, RequestMemory memory, CancellationToken cancellationToken)
        : base(limits, lane.Time)
    {
        (Caller, _lane, Memory, CancellationToken) = (caller, lane, memory, cancellationToken);
        Begin();
    }

    public override Caller Caller { get; }

    public RequestMemory Memory { get; }

    public bool IsUserChanged => false;

    public Caller PresentCaller => Caller;

    /// <summary>The client has gone, or its time is over.</summary>
    public CancellationToken CancellationToken { get; private set; }

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
    /// <param name="gone">The client has gone.</param>
    public void BeginAnswer(CancellationToken gone)
    {
        CancellationToken = gone;
        if (!_isInLane)
            Begin();
    }

    /// <summary>The request waits for a source or for its client without a place that others need. Work behind that is
    /// of a turn of its own.</summary>
    public void EndTurns()
    {
        if (!_isInLane)
            return;
        Leave();
        EndTurn();
    }

    public void Dispose()
    {
        Leave();
        Memory.Dispose();
    }

    private void Leave()
    {
        if (_isInLane)
            _lane.Leave();
        _isInLane = false;
    }
}
