using System.Net;
using System.Security.Authentication;
using Gateway.Admission.Clients;
using Gateway.Transport.Http;

namespace Gateway.Host.Tls;

/// <summary>
/// Paces the handshakes of HTTPS: each is a signature by the certificate's key, on the threads that serve all requests.
/// Up to a second's worth begins at once, the others wait for their turn: first for that of their address, then for
/// that of all, so that an address which has used up its own delays nobody (R44, R46). Bounded: nobody waits longer
/// than a handshake may take. Threads: any; its lock is a leaf.
/// </summary>
internal sealed class TlsPace(HttpLimits limits, TlsCounters counters, TimeProvider time)
{
    private const int MinTidyAt = 64;

    private readonly Lock _lock = new();

    /// <summary>When the turn behind all that were given would be; those of the past are tidied away when their number
    /// has doubled.</summary>
    private readonly Dictionary<IPAddress, long> _ofAddresses = [];

    private long _ofAll;
    private int _tidyAt = MinTidyAt;

    /// <summary>Until the handshake may begin. Errors: AuthenticationException: too many wait;
    /// OperationCanceledException.</summary>
    /// <param name="remote">Of the client.</param>
    /// <param name="cancellationToken">The handshake's time is over.</param>
    public async ValueTask WaitAsync(EndPoint? remote, CancellationToken cancellationToken)
    {
        var own = TakeOfAddress(AddressKey.Of(remote));
        await WaitForAsync(own, cancellationToken).ConfigureAwait(false);
        await WaitForAsync(TakeOfAll(), cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask WaitForAsync(TimeSpan? turn, CancellationToken cancellationToken)
    {
        if (turn is not { } wait)
        {
            counters.HandshakeRefused();
            throw new AuthenticationException("too many handshakes wait (Limits:MaxHttpTlsHandshakesPerSecond)");
        }

        if (wait <= TimeSpan.Zero)
            return;
        counters.HandshakeDelayed();
        await Task.Delay(wait, time, cancellationToken).ConfigureAwait(false);
    }

    private TimeSpan? TakeOfAddress(IPAddress address)
    {
        lock (_lock)
        {
            var next = _ofAddresses.GetValueOrDefault(address);
            var wait = TakeUnderLock(ref next, limits.MaxHttpTlsHandshakesPerSecondPerAddress);
            _ofAddresses[address] = next;
            if (_ofAddresses.Count > _tidyAt)
                TidyUnderLock();
            return wait;
        }
    }

    private TimeSpan? TakeOfAll()
    {
        lock (_lock)
            return TakeUnderLock(ref _ofAll, limits.MaxHttpTlsHandshakesPerSecond);
    }

    /// <summary>Null: the turn would come too late, and none is taken.</summary>
    private TimeSpan? TakeUnderLock(ref long next, int perSecond)
    {
        var now = time.GetTimestamp();
        var second = time.TimestampFrequency;
        next = Math.Max(next, now);
        var wait = time.GetElapsedTime(now, next - second);
        if (wait >= limits.HttpHeaderDeadline)
            return null;
        next += second / perSecond;
        return wait;
    }

    private void TidyUnderLock()
    {
        var now = time.GetTimestamp();
        foreach (var (address, next) in _ofAddresses)
        {
            if (next <= now)
                _ofAddresses.Remove(address);
        }

        _tidyAt = Math.Max(MinTidyAt, 2 * _ofAddresses.Count);
    }
}
