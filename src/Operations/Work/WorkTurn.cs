using Gateway.Operations.Access;

namespace Gateway.Operations.Work;

/// <summary>
/// The work of one request: how much it may still do in this turn and altogether (R44). A unit is about 100 ns: a
/// reference looked at. Each door has its own, which says what a later turn waits for. Used by one thread at a time.
/// </summary>
public abstract class WorkTurn(OperationLimits limits, TimeProvider clock)
{
    /// <summary>The clock is dear beside a unit.</summary>
    private const int UnitsBetweenLooks = 256;

    /// <summary>As a connection's turn: a small part of what a notification may be late.</summary>
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(2);

    private long _since;
    private int _left;
    private int _untilLook;
    private long _spent;

    /// <summary>What checks of rights look at.</summary>
    public abstract Caller Caller { get; }

    /// <summary>Nothing more may be done before <see cref="NextAsync"/>.</summary>
    public bool IsOver => _left <= 0;

    /// <summary>All that one request may do is done: what is left of it is refused.</summary>
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

    /// <summary>Awaited, it goes on in a later turn. Errors: OperationCanceledException when nobody waits for the
    /// answer any more or it may not be given.</summary>
    public abstract ValueTask NextAsync();

    /// <summary>What the request has no work left for is refused: counts it.</summary>
    public abstract void CountRefused();

    /// <summary>A turn begins.</summary>
    protected void Begin()
    {
        _since = clock.GetTimestamp();
        _left = limits.MaxWorkPerTurn;
        _untilLook = UnitsBetweenLooks;
    }
}
