using Gateway.Codec.Pooling;
using Gateway.Transport;

namespace Gateway.Server.Dispatch;

/// <summary>One buffer a thread for the responses made on it: rented for one response, given back when Send has copied
/// it into the connection's pipe. A nested rent (a fault in place of a response) makes a second one that is dropped.
/// Kept: at most one thread's buffer × threads that answer, each ≤ 128 KiB.</summary>
internal static class ReplyBuffers
{
    [ThreadStatic]
    private static PooledBuffer? t_buffer;

    public static PooledBuffer Rent()
    {
        var buffer = t_buffer ?? new PooledBuffer(MessageLayout.Headroom);
        t_buffer = null;
        return buffer;
    }

    public static void Return(PooledBuffer buffer)
    {
        if (t_buffer is not null)
        {
            buffer.Dispose();
            return;
        }

        buffer.Reset();
        t_buffer = buffer;
    }
}
