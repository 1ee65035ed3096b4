using System.Net;

namespace Gateway.Transport.Reverse;

/// <summary>The connections of one configured server that wait, one an address, the oldest first. More than one
/// address may claim to be that server: the one that has waited longest has its turn, but none has two running. The one
/// that was the server last comes first, as long as it is, and then has every other turn: however many addresses come,
/// it is not kept waiting. Guarded by the lock of its <see cref="ReverseRoom"/>.</summary>
internal sealed class ReverseQueue
{
    /// <summary>Addresses whose turns are known; the oldest is forgotten.</summary>
    private const int MaxTurns = 64;

    private readonly List<ReverseGuest> _waiting = [];
    private readonly Dictionary<IPAddress, long> _turns = [];
    private long _turn;

    /// <summary>Its connection was taken, and the next one is of the same conversation.</summary>
    private IPAddress? _talking;
    private IPAddress? _proven;
    private bool _isProvenTried;

    public IReadOnlyList<ReverseGuest> Waiting => _waiting;

    public TaskCompletionSource Arrival { get; private set; } = NewArrival();

    public void Add(ReverseGuest guest)
    {
        _waiting.Add(guest);
        var arrival = Arrival;
        Arrival = NewArrival();
        arrival.SetResult();
    }

    public void Remove(ReverseGuest guest) => _waiting.Remove(guest);

    public ReverseGuest? Of(IPAddress address) => _waiting.Find(one => one.Address.Equals(address));

    /// <summary>The one that has its turn. Null: nobody waits.</summary>
    public ReverseGuest? TakeNext()
    {
        var proven = _isProvenTried || _proven is null ? null : Of(_proven);
        _isProvenTried = proven is not null;
        var next = Take(proven ?? _waiting.Find(one => !one.Address.Equals(_talking)) ?? _waiting.FirstOrDefault());
        if (next is not null)
            OnTurn(next.Address);
        return next;
    }

    /// <summary>0: it had none that is known.</summary>
    public long TurnOf(ReverseGuest guest) => _turns.GetValueOrDefault(guest.Address);

    private void OnTurn(IPAddress address)
    {
        (_talking, _turns[address]) = (address, ++_turn);
        if (_turns.Count > MaxTurns)
            _turns.Remove(_turns.MinBy(static one => one.Value).Key);
    }

    /// <summary>The one of that address. Null: none waits.</summary>
    public ReverseGuest? TakeOf(IPAddress address) => Take(Of(address));

    private ReverseGuest? Take(ReverseGuest? guest)
    {
        if (guest is not null)
            _waiting.Remove(guest);
        return guest;
    }

    /// <summary>The server at that address has shown its certificate.</summary>
    public void Prove(IPAddress address) => (_proven, _isProvenTried) = (address, false);

    /// <summary>It makes no room for others: it has shown its certificate, or is about to.</summary>
    public bool IsKept(ReverseGuest guest) => guest.Address.Equals(_proven) || guest.Address.Equals(_talking);

    private static TaskCompletionSource NewArrival() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
