using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Gateway.Transport.Conversation;

/// <param name="SequenceNumber">As it came.</param>
/// <param name="RequestId">As it came.</param>
/// <param name="Body">TypeId and structure.</param>
internal readonly record struct UnsealedChunk(uint SequenceNumber, uint RequestId, ReadOnlyMemory<byte> Body)
{
    /// <summary>Once it is decoded: the keys of a token follow from the nonces in its OPN (R39).</summary>
    public void Erase() => CryptographicOperations.ZeroMemory(MemoryMarshal.AsMemory(Body).Span);
}
