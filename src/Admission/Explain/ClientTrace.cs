using Gateway.Admission.Clients;

namespace Gateway.Admission.Explain;

/// <summary>The activity of one account in each of the last ticks, in a ring that exists only while there is any.
/// </summary>
internal sealed class ClientTrace(ClientAccount account, int ticks)
{
    private ushort[]? _ring;
    private long _attemptsBefore;
    private long _refusalsBefore;
    private int _last;

    public ClientAccount Account => account;

    /// <summary>The history's last walk that met the account.</summary>
    public int Walk { get; set; }

    public void Tick()
    {
        var attempts = Take(account.Attempts, ref _attemptsBefore);
        var refusals = Take(account.Refusals, ref _refusalsBefore);
        if (attempts + refusals > 0)
            _ring ??= new ushort[2 * ticks];
        if (_ring is null)
            return;
        _last = (_last + 1) % ticks;
        (_ring[_last], _ring[_last + ticks]) = (attempts, refusals);
        if (!_ring.AsSpan().ContainsAnyExcept((ushort)0))
            _ring = null;
    }

    /// <summary>In the running tick and so many finished ones.</summary>
    public long Attempts(int overTicks) => account.Attempts - _attemptsBefore + Sum(0, overTicks);

    public long Refusals(int overTicks) => account.Refusals - _refusalsBefore + Sum(ticks, overTicks);

    private long Sum(int offset, int overTicks)
    {
        var sum = 0L;
        for (var i = 0; _ring is not null && i < overTicks; i++)
            sum += _ring[offset + ((_last - i + ticks) % ticks)];
        return sum;
    }

    private static ushort Take(long now, ref long before)
    {
        var taken = (ushort)Math.Clamp(now - before, 0, ushort.MaxValue);
        before = now;
        return taken;
    }
}
