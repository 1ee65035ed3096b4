using System.Collections.Concurrent;
using System.Net;
using System.Security.Cryptography;

namespace Gateway.Server.Users;

/// <summary>
/// Checks passwords off the caller's thread, few at a time and fairly by address. A check takes the same time for a
/// right, a wrong and an unknown user's password. A password that was right before is recognized by its HMAC under a
/// key of this process, so that ten thousand clients that come back cost ten thousand HMACs and not ten thousand
/// derivations; at most one entry a configured user. Any thread.
/// </summary>
internal sealed class PasswordChecker(UserDirectory users)
{
    private const int MaxWaiting = 256;

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly ConcurrentDictionary<string, byte[]> _known = new(StringComparer.Ordinal);
    private readonly PasswordTurnstile _turnstile = new(Math.Max(1, Environment.ProcessorCount / 2), MaxWaiting);

    /// <param name="name">Null for a token that could not be read: only the time is spent.</param>
    /// <param name="password">UTF-8; not kept.</param>
    /// <param name="address">Who waits in turn with others.</param>
    /// <param name="mayLook">Asked when its turn has come.</param>
    /// <param name="cancellationToken">Before the check begins.</param>
    public async ValueTask<PasswordResult> CheckAsync(
        string? name, byte[] password, IPAddress address, Func<bool> mayLook, CancellationToken cancellationToken)
    {
        var account = name is null ? null : users.FindByName(name);
        if (account is not null && IsKnown(account, password))
            return new PasswordResult(account);
        if (!await _turnstile.EnterAsync(address).ConfigureAwait(false))
            return new PasswordResult(null, IsBusy: true);
        try
        {
            // Another session of the same user may have shown it right meanwhile.
            if (account is not null && IsKnown(account, password))
                return new PasswordResult(account);
            if (!mayLook())
                return new PasswordResult(null, IsLockedOut: true);
            return new PasswordResult(
                await Task.Run(() => Check(account, password), cancellationToken).ConfigureAwait(false));
        }
        finally
        {
            _turnstile.Leave();
        }
    }

    private UserAccount? Check(UserAccount? account, byte[] password)
    {
        var spent = account?.Password?.Iterations ?? 0;
        var isRight = account?.Password is { } hash && hash.Verify(password);
        PasswordHash.Spend(password, users.MaxIterations - spent);
        if (!isRight)
            return null;
        _known[account!.Name] = HMACSHA256.HashData(_key, password);
        return account;
    }

    private bool IsKnown(UserAccount account, byte[] password)
    {
        Span<byte> mac = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(_key, password, mac);
        return _known.TryGetValue(account.Name, out var known) && CryptographicOperations.FixedTimeEquals(mac, known);
    }
}
