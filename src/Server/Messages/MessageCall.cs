using Gateway.Codec.Pooling;

namespace Gateway.Server.Messages;

/// <summary>A message on its way to the services.</summary>
/// <param name="Bytes">Of a caller who keeps them.</param>
/// <param name="Buffer">In their place: one that is given back once the services have it.</param>
/// <param name="Hold">Told the bytes that the request holds; null: nobody counts them.</param>
internal readonly record struct MessageCall(ReadOnlyMemory<byte> Bytes, PooledBuffer? Buffer, Action<long>? Hold)
{
    public ReadOnlySpan<byte> Span => Buffer is null ? Bytes.Span : Buffer.WrittenSpan;

    /// <summary>The services have it.</summary>
    /// <param name="copiedBytes">As long as they handle it.</param>
    public void Forget(long copiedBytes)
    {
        Buffer?.Dispose();
        Hold?.Invoke(copiedBytes);
    }
}
