namespace Gateway.Transport.Security;

/// <summary>AES-CBC without padding and HMAC-SHA256 of one direction of one token, their keys set once. Owner: the
/// <see cref="ChunkProtection"/> that made it; one thread at a time.</summary>
internal abstract class SymmetricPrimitives : IDisposable
{
    /// <summary>The fastest that this machine has.</summary>
    /// <param name="keys">Copied; the caller clears them.</param>
    /// <param name="encrypt">True to seal, false to open, null where the mode only signs.</param>
    public static SymmetricPrimitives Create(DerivedKeys keys, bool? encrypt) =>
        Libcrypto.IsAvailable ? new LibcryptoPrimitives(keys, encrypt) : new BclPrimitives(keys, encrypt);

    /// <param name="data">Anything.</param>
    /// <param name="mac">32 bytes.</param>
    public abstract void ComputeMac(ReadOnlySpan<byte> data, Span<byte> mac);

    /// <summary>Encrypts or decrypts whole blocks in place, each call from the token's initialisation vector.</summary>
    public abstract void Transform(Span<byte> data);

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool disposing);
}
