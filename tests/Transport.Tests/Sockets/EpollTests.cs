using System.Net.Sockets;
using Gateway.Transport.Sockets;

namespace Gateway.Transport.Tests.Sockets;

/// <summary>What comes after the end of an epoll instance must not reach whoever has its number by then.</summary>
public sealed class EpollTests
{
    private const int Tries = 1_000;

    [Fact]
    public void Remove_AfterDispose_DoesNotTouchTheNextOne()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        var descriptor = (int)socket.Handle;
        for (var i = 0; i < Tries; i++)
        {
            var ended = new Epoll();
            var number = ended.Descriptor;
            ended.Dispose();
            using var next = new Epoll();
            // Another test's thread may have been quicker.
            if (next.Descriptor != number)
                continue;
            next.Add(descriptor, Libc.EpollIn, 7, 7);

            ended.Remove(descriptor);
            ended.Change(descriptor, 0, 1, 1);
            Assert.False(ended.TryAdd(descriptor, Libc.EpollIn, 1, 1));

            Assert.False(next.TryAdd(descriptor, Libc.EpollIn, 7, 7), "its registration is gone");
            return;
        }

        Assert.Fail("no number was given twice");
    }
}
