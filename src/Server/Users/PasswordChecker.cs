using System.Collections.Concurrent;
using System.Net;
using System.Security.Cryptography;

namespace Gateway.Server.Users;

/// <summary>
/// Checks passwords off the caller's thread, few at a time and fairly by address. A check takes the same time for a
/// right password, a wrong one and an unknown user. A password that was right before is recognized by its HMAC under a
/// key of this process: ten thousand reconnecting clients cost ten thousand HMACs, not ten thousand key derivations. At
/// most one entry for each configured user. Any thread.
/// </summary>
internal sealed class PasswordChecker(UserDirectory users)
{
    private const int MaxWaiting = 256;

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly ConcurrentDictionary<string, (PasswordHash Hash, byte[] Mac)> _known = new(StringComparer.Ordinal);
    private readonly PasswordTurnstile _turnstile = new(Math.Max(1, Environment.ProcessorCount / 2), MaxWaiting);

    /// <param name="name">Null for a token that the server could not read: only the time is spent.</param>
    /// <param name="password">UTF-8; not kept.</param>
    /// <param name="address">The address whose queue the check waits in.</param>
    /// <param name="mayLook">Called when the check's turn has come.</param>
    /// <param name="cancellationToken">Cancels only before the check begins.</param>
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
            // Another session of the same user may have proved the password meanwhile.
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
        _known[account!.Name] = (account.Password!, HMACSHA256.HashData(_key, password));
        return account;
    }

    private bool IsKnown(UserAccount account, byte[] password)
    {
        Span<byte> mac = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(_key, password, mac);
        // Of a hash that is configured no more it proves nothing.
        return _known.TryGetValue(account.Name, out var known) && known.Hash.IsSame(account.Password) &&
            CryptographicOperations.FixedTimeEquals(mac, known.Mac);
    }
}
