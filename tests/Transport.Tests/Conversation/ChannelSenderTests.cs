using System.IO.Pipelines;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class ChannelSenderTests
{
    private const int ChunkBytes = 8192;

    private readonly Owner _owner = new();

    /// <summary>Half of a message has left, or its number is used up: what followed was a gap for the peer, or the rest
    /// of that message (R26, R40).</summary>
    [Theory]
    [InlineData(100, 0)]
    [InlineData(20_000, 1)]
    public void Send_NoMemoryOnTheWay_TheConnectionEndsAndNothingFollows(int bytes, int chunks)
    {
        var writer = new PoorWriter { Chunks = chunks };
        var sender = Open(writer);
        Assert.Throws<InsufficientMemoryException>(() => Send(sender, bytes));
        var written = writer.Written;

        Send(sender, 100);

        Assert.Equal([ChannelCloseReason.MemoryBudget], _owner.Ends);
        Assert.Equal(written, writer.Written);
        sender.End();
    }

    /// <summary>The other messages that take a number.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void SendOpenOrAbort_NoMemory_TheConnectionEndsIfItsNumberIsUsedUp(bool isOpen)
    {
        var writer = new PoorWriter();
        var sender = Open(writer);
        if (isOpen)
            Assert.Throws<InsufficientMemoryException>(() => sender.SendOpen(
                new AsymmetricSealer { Policy = SecurityPolicies.None }, 1, new byte[100]));
        else
            Assert.Throws<InsufficientMemoryException>(() => sender.SendAbort(
                1, StatusCodes.BadResponseTooLarge, "too large"));

        Send(sender, 100);

        // An abort is sealed in place: it takes its number behind the memory.
        Assert.Equal(isOpen ? 1 : 0, _owner.Ends.Count);
        Assert.Equal(isOpen, writer.Written == 0);
        sender.End();
    }

    private ChannelSender Open(PipeWriter writer)
    {
        var sender = ChannelSender.Create(
            writer, TestTransport.Make(), _owner, new StatusCode(StatusCodes.BadResponseTooLarge));
        sender.SetSizes(new PeerSizes(ChunkBytes, 0, 0));
        sender.UseToken(new IssuedToken
        {
            TokenId = 1,
            Outgoing = new NoProtection(),
            Incoming = new NoProtection(),
            IssuedAt = 0,
            Lifetime = TimeSpan.FromHours(1),
        });
        return sender;
    }

    private static void Send(ChannelSender sender, int bytes)
    {
        using var message = new PooledBuffer(MessageLayout.Headroom);
        message.Write(new byte[bytes]);
        sender.Send(message, 1);
    }

    private sealed class Owner : ISenderOwner
    {
        public List<ChannelCloseReason> Ends { get; } = [];

        public void OnSendFailed(ChannelCloseReason reason) => Ends.Add(reason);

        public void AddHeldBytes(long delta)
        {
        }
    }

    /// <summary>Has memory for so many chunks, and then none for one of them.</summary>
    private sealed class PoorWriter : PipeWriter, IEagerWriter
    {
        public int Chunks { get; set; }

        public int Written { get; private set; }

        public long HeldBytes => 0;

        public override void Advance(int bytes) => Written += bytes;

        public override Memory<byte> GetMemory(int sizeHint = 0) =>
            Chunks-- == 0 ? throw new InsufficientMemoryException() : new byte[Math.Max(1, sizeHint)];

        public override Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

        public void SendSome()
        {
        }

        public override void CancelPendingFlush()
        {
        }

        public override void Complete(Exception? exception = null)
        {
        }

        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default) =>
            new(new FlushResult(isCanceled: false, isCompleted: false));
    }
}
