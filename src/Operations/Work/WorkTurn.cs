using Gateway.Operations.Access;

namespace Gateway.Operations.Work;

/// <summary>
/// The work of one request, bounded in each turn and altogether (R44). A unit is about 100 ns: one visited reference.
/// Each protocol has its own subclass, which decides what a later turn waits for. Used by one thread at a time.
/// </summary>
public abstract class WorkTurn(OperationLimits limits, TimeProvider clock)
{
    /// <summary>Reading the clock is expensive compared with a unit.</summary>
    private const int UnitsBetweenLooks = 256;

    /// <summary>The same as a connection's turn: a small part of a notification's allowed delay.</summary>
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(2);

    private long _since;
    private int _left;
    private int _untilLook;
    private long _spent;

    /// <summary>The caller for permission checks.</summary>
    public abstract Caller Caller { get; }

    /// <summary>No more work may be done before <see cref="NextAsync"/>.</summary>
    public bool IsOver => _left <= 0;

    /// <summary>The request's whole work is used up: the rest of its operations is refused.</summary>
    public bool IsSpent => _spent >= limits.MaxWorkPerRequest;

    /// <summary>Counts work that was done or is about to be. False: the turn is over.</summary>
    public bool Take(int units = 1)
    {
        _spent += units;
        _left -= units;
        if ((_untilLook -= units) > 0 || _left <= 0)
            return _left > 0;
        _untilLook = UnitsBetweenLooks;
        if (clock.GetElapsedTime(_since) >= Slice)
            _left = 0;
        return _left > 0;
    }

    /// <summary>Completes in a later turn. Errors: OperationCanceledException if the client no longer waits for the
    /// response or may no longer get it.</summary>
    public abstract ValueTask NextAsync();

    /// <summary>Counts an operation that was refused because the request's work is used up.</summary>
    public abstract void CountRefused();

    /// <summary>Ends the turn before its time.</summary>
    protected void EndTurn() => _left = 0;

    /// <summary>Counts results that the request holds until it is answered (R43). False: above the limit of one request
    /// or of all together. Here nothing is counted.</summary>
    public virtual bool TryHold(long bytes) => true;

    /// <summary>Starts a turn. Returns the monotonic timestamp of now.</summary>
    protected long Begin()
    {
        _left = limits.MaxWorkPerTurn;
        _untilLook = UnitsBetweenLooks;
        return _since = clock.GetTimestamp();
    }
}
