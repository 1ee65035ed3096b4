using System.Runtime.InteropServices;
using Gateway.Transport.Sockets;

namespace Gateway.Transport.Tests.Sockets;

public sealed class SocketWriterTests
{
    /// <summary>A full buffer waits for the kernel, and memory for the next one is refused: the full one was written to
    /// again, and came back to the pool twice, for two connections (R40).</summary>
    [Fact]
    public void GetMemory_NextBufferIsRefused_TheFullOneIsLeftAlone()
    {
        var (full, isRefused) = (new byte[40_000], false);
        var writer = new SocketWriter(null!, count => isRefused
            ? throw new InsufficientMemoryException()
            : count == full.Length ? full : new byte[count]);
        writer.GetSpan(full.Length);
        writer.Advance(full.Length);
        isRefused = true;
        Assert.Throws<InsufficientMemoryException>(() => writer.GetMemory(full.Length));

        isRefused = false;
        var next = writer.GetMemory(100);

        Assert.True(MemoryMarshal.TryGetArray<byte>(next, out var segment));
        Assert.NotSame(full, segment.Array);
    }
}
