using System.Buffers;

namespace Gateway.Transport.Sockets;

/// <summary>
/// What bytes wait in on their way. Receiving: one large array a thread, taken out of its place while in use; what of
/// it is not consumed moves to an array of its own size, so that a half-received chunk holds no more than itself.
/// Sending: rented for the time between a write and the flush that takes it. An idle connection holds nothing.
/// </summary>
internal static class SocketBuffers
{
    /// <summary>Two of the largest chunks: a burst that is larger is read in steps.</summary>
    public const int ReceiveBytes = 128 * 1024;

    [ThreadStatic]
    private static byte[]? t_receive;

    public static byte[] TakeReceive()
    {
        var taken = t_receive ?? GC.AllocateUninitializedArray<byte>(ReceiveBytes);
        t_receive = null;
        return taken;
    }

    /// <summary>Takes back either kind.</summary>
    public static void Return(byte[] buffer)
    {
        if (buffer.Length == ReceiveBytes && t_receive is null)
            t_receive = buffer;
        else
            ArrayPool<byte>.Shared.Return(buffer);
    }

    public static byte[] Rent(int count) => ArrayPool<byte>.Shared.Rent(count);
}
