using System.Net;

namespace Gateway.Transport.Reverse;

/// <summary>The connections of one configured server that wait, one an address, the oldest first. More than one
/// address may claim to be that server: the one that has waited longest has its turn. The one that was the server last
/// comes first, as long as it is, and then has every other turn: however many addresses come, it is not kept waiting.
/// Guarded by the lock of its <see cref="ReverseRoom"/>.</summary>
internal sealed class ReverseQueue
{
    private readonly List<ReverseGuest> _waiting = [];
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
        return Take(proven ?? _waiting.FirstOrDefault());
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

    public bool IsProven(ReverseGuest guest) => guest.Address.Equals(_proven);

    private static TaskCompletionSource NewArrival() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
