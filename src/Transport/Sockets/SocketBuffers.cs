using System.Buffers;

namespace Gateway.Transport.Sockets;

/// <summary>
/// What bytes wait in on their way. Receiving: one large array while bytes are worked off; what of it is not consumed
/// moves to an array of its own size, so that a half-received chunk holds no more than itself. Sending: rented for the
/// time between a write and the flush that takes it. An idle connection holds nothing. All come from the runtime's
/// shared pool, which keeps one a thread at hand and lets an array that another thread gives back come round again.
/// </summary>
internal static class SocketBuffers
{
    /// <summary>Two of the largest chunks: a burst that is larger is read in steps.</summary>
    public const int ReceiveBytes = 128 * 1024;

    public static byte[] Rent(int count) => ArrayPool<byte>.Shared.Rent(count);

    public static void Return(byte[] buffer) => ArrayPool<byte>.Shared.Return(buffer);
}
