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

    public RestRequest(Caller caller, OperationLimits limits, TurnLane lane, CancellationToken cancellationToken)
        : base(limits, lane.Time)
    {
        (Caller, _lane, CancellationToken) = (caller, lane, cancellationToken);
        Begin();
    }

    public override Caller Caller { get; }

    public bool IsUserChanged => false;

    public Caller PresentCaller => Caller;

    /// <summary>The client has gone, or its time is over.</summary>
    public CancellationToken CancellationToken { get; }

    public override async ValueTask NextAsync()
    {
        Leave();
        await _lane.EnterAsync(CancellationToken).ConfigureAwait(false);
        _isInLane = true;
        Begin();
    }

    public override void CountRefused() => _lane.CountRefused();

    /// <summary>The work in turns is done. The request waits for a source or for its client without a place that others
    /// need.</summary>
    public void EndTurns() => Leave();

    public void Dispose() => Leave();

    private void Leave()
    {
        if (_isInLane)
            _lane.Leave();
        _isInLane = false;
    }
}
