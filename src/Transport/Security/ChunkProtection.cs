namespace Gateway.Transport.Security;

/// <summary>Seals or unseals whole symmetric chunks, in place, for one direction of one token. A policy's way of doing
/// it is one subclass: an AEAD is another. One thread at a time; the token that holds it disposes it.</summary>
internal abstract class ChunkProtection : IDisposable
{
    /// <summary>The most bytes that <see cref="Seal"/> adds behind the body.</summary>
    public abstract int MaxTrailerBytes { get; }

    /// <summary>The most body bytes of a chunk that is sealed to at most this size.</summary>
    public abstract int MaxBodyBytes(int chunkSize);

    /// <summary>Fills in MessageSize, pads, signs, encrypts.</summary>
    /// <param name="chunk">Headers and body, with room for the trailer behind.</param>
    /// <param name="bodyEnd">Where the body ends.</param>
    /// <returns>The chunk's size.</returns>
    public abstract int Seal(Span<byte> chunk, int bodyEnd);

    /// <summary>Decrypts in place and checks. Errors: false, the same for every cause (R13).</summary>
    public abstract bool TryUnseal(Span<byte> chunk, out int bodyEnd);

    public abstract void Dispose();
}
