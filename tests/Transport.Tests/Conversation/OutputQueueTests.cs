using System.IO.Pipelines;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class OutputQueueTests
{
    /// <summary>The connection's end completes the pipe while a flush begins: it was taken for one under way for ever,
    /// and later messages waited for it.</summary>
    [Fact]
    public void Flush_PipeIsCompleted_EndsAndKeepsNothing()
    {
        var owner = new Owner();
        var pipe = new Pipe();
        var queue = new OutputQueue(new CompletedWriter(pipe.Writer), TestTransport.Make(), owner);
        Write(queue);
        queue.Flush();
        Write(queue);
        queue.Flush();

        Assert.Equal([ChannelCloseReason.ConnectionLost], owner.Ends);
        lock (queue.Lock)
            Assert.False(queue.TryReserveUnderLock(1, out _));
        Assert.Equal(0, owner.Held);
        Assert.Equal(0, queue.StalledSince);
    }

    private static void Write(OutputQueue queue)
    {
        lock (queue.Lock)
        {
            queue.WriteUnderLock(new byte[10]);
            queue.MessageWrittenUnderLock();
        }
    }

    private sealed class Owner : ISenderOwner
    {
        public List<ChannelCloseReason> Ends { get; } = [];

        public long Held { get; private set; }

        public void OnSendFailed(ChannelCloseReason reason) => Ends.Add(reason);

        public void AddHeldBytes(long delta) => Held += delta;
    }

    /// <summary>Takes bytes, and is completed when they are to leave.</summary>
    private sealed class CompletedWriter(PipeWriter writer) : PipeWriter
    {
        public override void Advance(int bytes) => writer.Advance(bytes);

        public override Memory<byte> GetMemory(int sizeHint = 0) => writer.GetMemory(sizeHint);

        public override Span<byte> GetSpan(int sizeHint = 0) => writer.GetSpan(sizeHint);

        public override void CancelPendingFlush()
        {
        }

        public override void Complete(Exception? exception = null)
        {
        }

        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default) =>
            throw new InvalidOperationException("completed");
    }
}
