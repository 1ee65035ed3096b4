namespace Gateway.Transport.Conversation;

/// <summary>One buffer a thread for opening and sealing chunks. It is taken out of its place while in use, so that a
/// nested use (an inline completion on the same thread) gets another. Owner: the taker, until <see cref="Return"/>; a
/// taker that had secrets in it clears it first. Pool size: threads × one chunk.</summary>
internal static class ScratchBuffer
{
    private const int MinimumBytes = 64 * 1024 + 64;

    [ThreadStatic]
    private static byte[]? _kept;

    public static byte[] Take(int sizeBytes)
    {
        var buffer = _kept;
        _kept = null;
        return buffer is not null && buffer.Length >= sizeBytes
            ? buffer
            : GC.AllocateUninitializedArray<byte>(Math.Max(sizeBytes, MinimumBytes));
    }

    public static void Return(byte[] buffer) => _kept = buffer;
}
