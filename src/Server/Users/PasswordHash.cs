using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;

namespace Gateway.Server.Users;

/// <summary>A password at rest: <c>pbkdf2-sha256$iterations$salt$hash</c>, the last two in Base64 (salt 16 bytes, hash
/// 32). Immutable.</summary>
public sealed class PasswordHash
{
    public const int DefaultIterations = 210_000;

    private const string Scheme = "pbkdf2-sha256";
    private const int MinIterations = 10_000;
    private const int MaxIterations = 10_000_000;
    private const int SaltBytes = 16;
    private const int HashBytes = 32;

    private readonly byte[] _salt;
    private readonly byte[] _hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash)
    {
        Iterations = iterations;
        _salt = salt;
        _hash = hash;
    }

    public int Iterations { get; }

    /// <summary>True for the same text at rest.</summary>
    internal bool IsSame(PasswordHash? other) => other is not null && Iterations == other.Iterations &&
        _salt.AsSpan().SequenceEqual(other._salt) && CryptographicOperations.FixedTimeEquals(_hash, other._hash);

    /// <summary>Takes about a tenth of a second at the default, on purpose.</summary>
    /// <param name="password">UTF-8.</param>
    public static PasswordHash Create(ReadOnlySpan<byte> password, int iterations = DefaultIterations)
    {
        var salt = RandomNumberGenerator.GetBytes(SaltBytes);
        return new PasswordHash(iterations, salt, Derive(password, salt, iterations));
    }

    public static bool TryParse(string text, [NotNullWhen(true)] out PasswordHash? hash)
    {
        hash = null;
        var parts = text.Split('$');
        if (parts.Length != 4 || parts[0] != Scheme ||
            !int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out var iterations) ||
            iterations is < MinIterations or > MaxIterations ||
            !TryBase64(parts[2], out var salt) || salt.Length < SaltBytes ||
            !TryBase64(parts[3], out var derived) || derived.Length != HashBytes)
            return false;
        hash = new PasswordHash(iterations, salt, derived);
        return true;
    }

    /// <summary>The time it takes depends on the iterations alone.</summary>
    public bool Verify(ReadOnlySpan<byte> password) =>
        CryptographicOperations.FixedTimeEquals(Derive(password, _salt, Iterations), _hash);

    /// <summary>Spends the time that so many iterations take and learns nothing.</summary>
    internal static void Spend(ReadOnlySpan<byte> password, int iterations)
    {
        if (iterations > 0)
            Derive(password, new byte[SaltBytes], iterations);
    }

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Scheme}${Iterations}${Convert.ToBase64String(_salt)}${Convert.ToBase64String(_hash)}");

    private static byte[] Derive(ReadOnlySpan<byte> password, byte[] salt, int iterations) =>
        Rfc2898DeriveBytes.Pbkdf2(password, salt, iterations, HashAlgorithmName.SHA256, HashBytes);

    private static bool TryBase64(string text, out byte[] bytes)
    {
        bytes = new byte[text.Length];
        if (!Convert.TryFromBase64String(text, bytes, out var written))
            return false;
        bytes = bytes[..written];
        return true;
    }
}
