using Gateway.Admission.Clients;
using Gateway.Admission.Load;

namespace Gateway.Admission.Door;

/// <summary>
/// The times at which refused clients should reconnect: each gets a moment of its own, one after the other at the rate
/// at which handshakes are served, behind the waiting clients and those that got a hint before and have not come yet. A
/// client that reconnects immediately frees its moment, so that clients which ignore the hint do not delay the others.
/// Threads: any; its lock is a leaf.
/// </summary>
public sealed class RetrySchedule(TimeProvider time, HandshakeRate rate, TimeSpan longest)
{
    private const double MinMs = 500;
    private const double GoldenRatio = 0.6180339887498949;

    private readonly Lock _lock = new();
    private readonly long _origin = time.GetTimestamp();

    /// <summary>Behind the last moment given away, in ms since the origin.</summary>
    private double _end;
    private double _outstanding;
    private double _sequence;

    /// <summary>For a client that will come back as a new connection.</summary>
    /// <param name="waiting">The number ahead of all that are refused.</param>
    /// <param name="address">The account of its address.</param>
    /// <param name="least">It would be refused until then.</param>
    /// <returns>In ms.</returns>
    public int Next(int waiting, ClientAccount address, TimeSpan least)
    {
        lock (_lock)
        {
            var now = NowMs();
            var perMs = rate.Sustained / 1000;

            // A moment that has passed is not owed any more.
            _outstanding = Math.Min(_outstanding, Math.Max(0, _end - now) * perMs);
            var first = now + MinMs + (waiting / perMs);
            var slot = Math.Max(first, Math.Min(_end, first + (_outstanding / perMs)));
            slot = Math.Max(slot, now + least.TotalMilliseconds);
            _outstanding++;
            address.Owed++;
            if (slot - now > longest.TotalMilliseconds)
                return (int)(longest.TotalMilliseconds * (1 + GoldenUnderLock()) / 2);
            _end = slot + (1 / perMs);
            return (int)(slot - now);
        }
    }

    /// <summary>For one that asks again where it is: it has no moment, only its share of a time.</summary>
    /// <param name="least">From when on.</param>
    /// <param name="width">And for how long.</param>
    /// <returns>In ms.</returns>
    public int Spread(TimeSpan least, TimeSpan width)
    {
        lock (_lock)
        {
            var delay = least.TotalMilliseconds + (GoldenUnderLock() * width.TotalMilliseconds);
            return (int)Math.Min(delay, longest.TotalMilliseconds);
        }
    }

    /// <summary>A connection from this address has come: one that got a hint, where one is owed.</summary>
    internal void Returned(ClientAccount address)
    {
        lock (_lock)
        {
            if (address.Owed == 0)
                return;
            address.Owed--;
            _outstanding = Math.Max(0, _outstanding - 1);
        }
    }

    private double NowMs() => time.GetElapsedTime(_origin).TotalMilliseconds;

    private double GoldenUnderLock() => _sequence = (_sequence + GoldenRatio) % 1;
}
