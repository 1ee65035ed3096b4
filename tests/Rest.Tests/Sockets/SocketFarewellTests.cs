using Gateway.Rest.Sockets;
using Gateway.Testing;

namespace Gateway.Rest.Tests.Sockets;

/// <summary>What a peer still sends behind the gateway's close.</summary>
public sealed class SocketFarewellTests
{
    private readonly ManualTimeProvider _time = new();
    private int _reads;

    [Fact]
    public async Task Take_PeerThatCloses_ItsRestIsRead()
    {
        await SocketFarewell.TakeAsync(() => ReadAsync(first: 3, bytes: 1024), _time, CancellationToken.None);

        Assert.Equal(4, _reads);
    }

    /// <summary>R46: a flood would keep a thread busy until the connection is cut off.</summary>
    [Fact]
    public async Task Take_Flood_NotReadToItsEnd()
    {
        var taking = SocketFarewell.TakeAsync(() => ReadAsync(int.MaxValue, 1024), _time, CancellationToken.None);

        Assert.Equal(SocketFarewell.MostBytes / 1024, _reads);
        Assert.False(taking.IsCompleted);
        _time.Advance(SocketFarewell.Time);
        await taking;
        Assert.Equal(SocketFarewell.MostBytes / 1024, _reads);
    }

    [Fact]
    public async Task Take_FloodIsCutOff_EndsAtOnce()
    {
        using var gone = new CancellationTokenSource();
        var taking = SocketFarewell.TakeAsync(() => ReadAsync(int.MaxValue, 64 * 1024), _time, gone.Token);

        await gone.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => taking);
    }

    /// <summary>The stream of a WebSocket whose peer floods it behind its end.</summary>
    [Fact]
    public async Task Read_FloodBehindTheEnd_NotReadToItsEnd()
    {
        var meter = new FrameMeter(perSecond: 1, _time);
        await using var flood = new Flood();
        await using var stream = new MeteredStream(flood, meter);

        var read = stream.ReadAsync(new byte[4096]).AsTask();

        Assert.Equal(SocketEnd.Malformed, meter.End);
        Assert.InRange(flood.Taken, SocketFarewell.MostBytes, SocketFarewell.MostBytes + 8192);
        _time.Advance(SocketFarewell.Time);
        Assert.Equal(0, await read);
    }

    private ValueTask<int> ReadAsync(int first, int bytes) => ValueTask.FromResult(++_reads > first ? 0 : bytes);

    /// <summary>Frames without a mask, as fast as they are read; it ends after a hundred times what may be taken.
    /// </summary>
    private sealed class Flood : MemoryStream
    {
        public long Taken { get; private set; }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (Taken > 100L * SocketFarewell.MostBytes)
                return ValueTask.FromResult(0);
            buffer.Span.Fill(0x01);
            Taken += buffer.Length;
            return ValueTask.FromResult(buffer.Length);
        }
    }
}
