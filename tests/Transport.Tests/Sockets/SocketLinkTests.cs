using System.Buffers;
using System.Net;
using System.Net.Sockets;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Sockets;
using Gateway.Transport.Tests.Support;
using Microsoft.AspNetCore.Connections;
using ListenException = Gateway.Transport.Hosting.ListenException;

namespace Gateway.Transport.Tests.Sockets;

public sealed class SocketLinkTests
{
    /// <summary>More than the kernel takes for a peer that does not read.</summary>
    private const int TooMuch = 16 * 1024 * 1024;

    [Theory]
    [InlineData(10)]
    [InlineData(5_000)]
    [InlineData(60_000)]
    [InlineData(100_000)]
    [InlineData(300_000)]
    public async Task ReadAsync_PartIsLeft_StandsInFrontOfWhatFollows(int count)
    {
        await using var pair = await SocketPair.ConnectAsync();
        var bytes = Bytes(count);
        var sending = pair.Peer.SendAsync(bytes);
        var input = pair.Link.Input;
        ReadOnlySequence<byte> read;
        while (true)
        {
            read = (await input.ReadAsync()).Buffer;
            if (read.Length == count)
                break;
            input.AdvanceTo(read.Start, read.End);
        }

        Assert.True(read.IsSingleSegment);
        Assert.Equal(bytes, read.ToArray());
        input.AdvanceTo(read.End);
        Assert.Equal(count, await sending);
    }

    [Fact]
    public async Task ReadAsync_NotAllExamined_CompletesAtOnce()
    {
        await using var pair = await SocketPair.ConnectAsync();
        var input = pair.Link.Input;
        await pair.Peer.SendAsync(Bytes(20));
        var first = await input.ReadAsync();
        input.AdvanceTo(first.Buffer.GetPosition(8));

        Assert.True(input.TryRead(out var second));
        Assert.Equal(Bytes(20)[8..], second.Buffer.ToArray());
        input.AdvanceTo(second.Buffer.Start);
        var third = input.ReadAsync();
        Assert.True(third.IsCompleted);
        Assert.Equal(12, (await third).Buffer.Length);
    }

    [Fact]
    public async Task ReadAsync_PeerClosesBehindItsBytes_BytesThenEnd()
    {
        await using var pair = await SocketPair.ConnectAsync();
        var input = pair.Link.Input;
        await pair.Peer.SendAsync(Bytes(20));
        pair.Peer.Shutdown(SocketShutdown.Send);
        var length = 0L;
        while (true)
        {
            var result = await input.ReadAsync();
            length += result.Buffer.Length;
            input.AdvanceTo(result.Buffer.End);
            if (result.IsCompleted)
                break;
        }

        Assert.Equal(20, length);
    }

    /// <summary>What goes wrong while the loop takes bytes in the reader's name ends the read that waits (R37, R40).
    /// </summary>
    [Fact]
    public async Task ReadAsync_LoopCannotReceive_ThrowsInsteadOfWaitingForEver()
    {
        await using var pair = await SocketPair.ConnectAsync();
        var input = pair.Link.Input;
        await pair.Peer.SendAsync(Bytes(20));
        var first = (await input.ReadAsync()).Buffer;
        input.AdvanceTo(first.Start, first.End);
        // What waits goes into a small buffer, so that the next byte needs another one.
        var cancelled = input.ReadAsync();
        input.CancelPendingRead();
        var left = (await cancelled).Buffer;
        // A place in front of the buffer: the reader fails when it moves what is left.
        input.AdvanceTo(new SequencePosition(left.Start.GetObject(), -1), left.End);
        var waiting = input.ReadAsync();
        Assert.False(waiting.IsCompleted);

        await pair.Peer.SendAsync(Bytes(1));

        var error = await Assert.ThrowsAsync<ConnectionResetException>(
            () => waiting.AsTask().WaitAsync(Patience.Limit));
        Assert.IsType<ArgumentOutOfRangeException>(error.InnerException);
    }

    [Fact]
    public async Task ReadAsync_PeerResets_Throws()
    {
        await using var pair = await SocketPair.ConnectAsync();
        var waiting = pair.Link.Input.ReadAsync();
        pair.Peer.LingerState = new LingerOption(true, 0);
        pair.Peer.Close();

        await Assert.ThrowsAsync<ConnectionResetException>(async () => await waiting);
    }

    [Fact]
    public async Task CancelPendingRead_WhileAReadWaits_EndsThatReadAlone()
    {
        await using var pair = await SocketPair.ConnectAsync();
        var input = pair.Link.Input;
        var waiting = input.ReadAsync();
        Assert.False(waiting.IsCompleted);
        input.CancelPendingRead();
        var cancelled = await waiting;
        input.AdvanceTo(cancelled.Buffer.End);
        await pair.Peer.SendAsync(Bytes(5));
        var next = await input.ReadAsync();

        Assert.True(cancelled.IsCanceled);
        Assert.False(next.IsCanceled);
        Assert.Equal(Bytes(5), next.Buffer.ToArray());
    }

    [Fact]
    public async Task CancelPendingRead_BeforeARead_EndsTheNext()
    {
        await using var pair = await SocketPair.ConnectAsync();
        pair.Link.Input.CancelPendingRead();

        Assert.True((await pair.Link.Input.ReadAsync()).IsCanceled);
    }

    [Fact]
    public async Task FlushAsync_PeerReads_CompletesAtOnce()
    {
        await using var pair = await SocketPair.ConnectAsync();
        var output = pair.Link.Output;
        for (var i = 0; i < 100; i++)
        {
            output.Write(Bytes(200));
            var flush = output.FlushAsync();
            Assert.True(flush.IsCompleted);
            Assert.False((await flush).IsCompleted);
        }

        Assert.Equal(Enumerable.Repeat(Bytes(200), 100).SelectMany(part => part), await pair.ReceiveAsync(20_000));
    }

    [Fact]
    public async Task FlushAsync_PeerReadsLate_WaitsAndLosesNothing()
    {
        await using var pair = await SocketPair.ConnectAsync();
        var bytes = Bytes(TooMuch);
        pair.Link.Output.Write(bytes);
        var flush = pair.Link.Output.FlushAsync();
        Assert.False(flush.IsCompleted);
        var flushed = flush.AsTask();

        var received = await pair.ReceiveAsync(TooMuch);
        Assert.True(bytes.AsSpan().SequenceEqual(received));
        Assert.False((await flushed).IsCompleted);
    }

    [Theory]
    [InlineData(10_000)]
    [InlineData(100_000)]
    [InlineData(TooMuch)]
    public async Task SendSome_BetweenWrites_TheFlushSendsTheRestInOrder(int count)
    {
        await using var pair = await SocketPair.ConnectAsync();
        var bytes = Bytes(count);
        var output = pair.Link.Output;
        var eager = Assert.IsAssignableFrom<IEagerWriter>(output);
        for (var start = 0; start < count; start += 50_000)
        {
            output.Write(bytes.AsSpan(start, Math.Min(50_000, count - start)));
            eager.SendSome();
        }

        var flush = output.FlushAsync();
        Assert.True(count < TooMuch || !flush.IsCompleted);
        Assert.Equal(bytes, await pair.ReceiveAsync(count));
        Assert.False((await flush).IsCompleted);
    }

    [Fact]
    public async Task SendSome_EnoughWaits_ArrivesWithoutAFlush()
    {
        await using var pair = await SocketPair.ConnectAsync();
        pair.Link.Output.Write(Bytes(50_000));
        ((IEagerWriter)pair.Link.Output).SendSome();

        Assert.Equal(Bytes(50_000), await pair.ReceiveAsync(50_000));
    }

    [Fact]
    public async Task SendSome_PeerIsGone_TheFlushSaysSo()
    {
        await using var pair = await SocketPair.ConnectAsync();
        var output = pair.Link.Output;
        pair.Link.Abort(new ConnectionAbortedException());
        output.Write(Bytes(50_000));
        ((IEagerWriter)output).SendSome();

        Assert.True((await output.FlushAsync()).IsCompleted);
    }

    [Fact]
    public async Task Abort_WhileAFlushAndAReadWait_EndsBoth()
    {
        await using var pair = await SocketPair.ConnectAsync();
        pair.Link.Output.Write(Bytes(TooMuch));
        var flush = pair.Link.Output.FlushAsync().AsTask();
        var read = pair.Link.Input.ReadAsync().AsTask();
        pair.Link.Abort(new ConnectionAbortedException());

        Assert.True((await flush).IsCompleted);
        Assert.True((await read).IsCompleted);
    }

    [Fact]
    public async Task FlushAsync_PeerIsGone_SaysSo()
    {
        await using var pair = await SocketPair.ConnectAsync();
        pair.Peer.LingerState = new LingerOption(true, 0);
        pair.Peer.Close();
        await Assert.ThrowsAsync<ConnectionResetException>(async () => await pair.Link.Input.ReadAsync());
        pair.Link.Output.Write(Bytes(20));

        Assert.True((await pair.Link.Output.FlushAsync()).IsCompleted);
    }

    [Fact]
    public async Task DisposeAsync_WhileAFlushWaits_EverythingArrivesThenTheEnd()
    {
        await using var pair = await SocketPair.ConnectAsync();
        var closed = pair.Link.ConnectionClosed;
        var bytes = Bytes(TooMuch);
        pair.Link.Output.Write(bytes);
        var flush = pair.Link.Output.FlushAsync().AsTask();
        var disposing = pair.DisposeLinkAsync();

        Assert.False(closed.IsCancellationRequested);
        var received = await pair.ReceiveAsync(TooMuch + 1);
        Assert.True(bytes.AsSpan().SequenceEqual(received));
        await disposing;
        Assert.False((await flush).IsCompleted);
        Assert.True(closed.IsCancellationRequested);
    }

    [Fact]
    public async Task FlushAsync_AfterDispose_TouchesNoDescriptor()
    {
        await using var pair = await SocketPair.ConnectAsync();
        await pair.DisposeLinkAsync();
        pair.Link.Output.Write(Bytes(20));

        Assert.True((await pair.Link.Output.FlushAsync()).IsCompleted);
    }

    [Fact]
    public async Task AcceptAsync_Unbound_Null()
    {
        using var loop = new EventLoop(0);
        using var context = TestTransport.Make();
        await using var listener = new SocketListener(
            new IPEndPoint(IPAddress.Loopback, 0), [loop], context, KernelAcceptor.Open);
        var accepting = listener.AcceptAsync();
        await listener.UnbindAsync();

        Assert.Null(await accepting);
    }

    [Fact]
    public async Task BindAsync_PortIsTaken_AddressInUse()
    {
        using var context = TestTransport.Make();
        using var factory = new SocketListenerFactory(context);
        await using var first = await factory.BindAsync(new UaTcpEndPoint(new IPEndPoint(IPAddress.Loopback, 0)));
        var taken = new UaTcpEndPoint((IPEndPoint)first.EndPoint);

        var error = await Assert.ThrowsAsync<ListenException>(async () => await factory.BindAsync(taken));
        Assert.Equal(SocketError.AddressAlreadyInUse, error.Error);
        Assert.Equal(taken, error.EndPoint);
        Assert.False(factory.CanBind(first.EndPoint));
        Assert.True(factory.CanBind(taken));
    }

    private static byte[] Bytes(int count)
    {
        var bytes = new byte[count];
        for (var i = 0; i < count; i++)
            bytes[i] = (byte)(i * 31 + (i >> 8));
        return bytes;
    }
}
