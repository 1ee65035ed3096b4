using System.Collections.Concurrent;
using System.Security.Cryptography;

namespace Gateway.Server.Users;

/// <summary>
/// Checks passwords off the caller's thread, few at a time. A check takes the same time for a right, a wrong and an
/// unknown user's password. A password that was right before is recognized by its HMAC under a key of this process, so
/// that ten thousand clients that come back cost ten thousand HMACs and not ten thousand derivations; at most one entry
/// a configured user. Any thread.
/// </summary>
internal sealed class PasswordChecker(UserDirectory users) : IDisposable
{
    private const int MaxWaiting = 256;

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly ConcurrentDictionary<string, byte[]> _known = new(StringComparer.Ordinal);
    private readonly SemaphoreSlim _running = new(Math.Max(1, Environment.ProcessorCount / 2));
    private int _waiting;

    /// <summary>Null when too many checks wait already.</summary>
    /// <param name="name">Null for a token that could not be read: only the time is spent.</param>
    /// <param name="password">UTF-8; not kept.</param>
    public async ValueTask<UserAccount?> CheckAsync(
        string? name, byte[] password, Action onBusy, CancellationToken cancellationToken)
    {
        var account = name is null ? null : users.FindByName(name);
        if (account is not null && IsKnown(account, password))
            return account;
        if (Interlocked.Increment(ref _waiting) > MaxWaiting)
        {
            Interlocked.Decrement(ref _waiting);
            onBusy();
            return null;
        }
        try
        {
            await _running.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                return await Task.Run(() => Check(account, password), cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                _running.Release();
            }
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    public void Dispose() => _running.Dispose();

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
