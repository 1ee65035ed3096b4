using Gateway.Codec.Pooling;
using Gateway.Store.Records;

namespace Gateway.Store.Segments;

/// <summary>A scan reads into it; it grows with the largest record. Threads: the disk's.</summary>
internal sealed class ScanBuffer : IDisposable
{
    public byte[] Array { get; private set; } = ByteArrays.Rent(Block.Bytes);

    /// <exception cref="InsufficientMemoryException">It stays as it is.</exception>
    public void Grow(int bytes)
    {
        var larger = ByteArrays.Rent(bytes);
        ByteArrays.Return(Array);
        Array = larger;
    }

    public void Dispose() => ByteArrays.Return(Array);
}
