using Gateway.Codec.Pooling;

namespace Gateway.Transport.Sockets;

/// <summary>
/// The memory of bytes on their way. Receiving: one large array while bytes are handled; unconsumed bytes move to an
/// array of their own size, so that a half-received chunk holds no more than itself. Sending: rented for the time
/// between a write and the flush that takes it. An idle connection holds nothing. All come from
/// <see cref="ByteArrays"/>.
/// </summary>
internal static class SocketBuffers
{
    /// <summary>Two of the largest chunks: a burst that is larger is read in steps.</summary>
    public const int ReceiveBytes = 128 * 1024;

    public static byte[] Rent(int count) => ByteArrays.Rent(count);

    public static void Return(byte[] buffer) => ByteArrays.Return(buffer);
}
