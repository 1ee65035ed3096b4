namespace Gateway.Transport.Timing;

/// <summary>How late the plant's data is. Subscriptions tell it; the private-key lane asks, and leaves them more of the
/// processor. Owner: the host; any thread.</summary>
public sealed class PlantLateness
{
    private long _worst;

    /// <param name="ticks">From the due time of a subscription to its sweep, in <see cref="TimeSpan"/> ticks.</param>
    public void Raise(long ticks)
    {
        var known = Volatile.Read(ref _worst);
        while (ticks > known)
        {
            var seen = Interlocked.CompareExchange(ref _worst, ticks, known);
            if (seen == known)
                return;
            known = seen;
        }
    }

    /// <summary>The worst since the last call: for one caller that decides by it.</summary>
    public TimeSpan TakeWorst() => new(Interlocked.Exchange(ref _worst, 0));
}
