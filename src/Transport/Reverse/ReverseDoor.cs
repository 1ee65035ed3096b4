using System.Net;
using Gateway.Admission.Caps;

namespace Gateway.Transport.Reverse;

/// <summary>Connections that have not said yet who they are: so many at a time and in a second, of one address and of
/// all. No address shuts others out (R46): it gets a tenth of a second's places, and the oldest connection of the
/// address that has most makes room for a newcomer. Threads: any.</summary>
internal sealed class ReverseDoor(TimeProvider time)
{
    public const int MaxUnknown = 32;

    public const int MaxUnknownOfAnAddress = 4;

    /// <summary>In a second; others are closed unread.</summary>
    public const int MaxAcceptsPerSecond = 200;

    /// <summary>Several servers may be behind one address.</summary>
    public const int MaxAcceptsPerSecondOfAnAddress = 20;

    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly VictimList<ReverseGuest> _unknown = new();

    /// <summary>Accepted in this second; no more entries than <see cref="MaxAcceptsPerSecond"/>.</summary>
    private readonly Dictionary<IPAddress, int> _ofAddress = [];
    private int _accepted;
    private long _second = time.GetTimestamp();

    /// <param name="guest">That has come.</param>
    /// <param name="evicted">Makes room: to be closed. Null: there was room.</param>
    public bool TryEnter(ReverseGuest guest, out ReverseGuest? evicted)
    {
        evicted = null;
        var holder = guest.Address.ToString();
        lock (_lock)
        {
            if (_unknown.WeightOf(holder) >= MaxUnknownOfAnAddress || !TryCountUnderLock(guest.Address))
                return false;
            // One that has said who it is at this moment leaves by itself.
            while (_unknown.Count >= MaxUnknown && _unknown.TakeOfMost() is { } oldest)
            {
                if (oldest.TryEnd())
                    evicted = oldest;
            }

            _unknown.Add(guest, holder);
            return true;
        }
    }

    public void Leave(ReverseGuest guest) => _unknown.Remove(guest);

    private bool TryCountUnderLock(IPAddress address)
    {
        if (time.GetElapsedTime(_second) >= Second)
        {
            _ofAddress.Clear();
            (_accepted, _second) = (0, time.GetTimestamp());
        }

        var own = _ofAddress.GetValueOrDefault(address);
        if (own >= MaxAcceptsPerSecondOfAnAddress || _accepted >= MaxAcceptsPerSecond)
            return false;
        _ofAddress[address] = own + 1;
        _accepted++;
        return true;
    }
}
