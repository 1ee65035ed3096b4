using System.IO.Pipelines;
using Gateway.Testing;
using Gateway.Transport.Http;

namespace Gateway.Transport.Tests.Http;

/// <summary>The thread that serves what one connection sends. The test's thread stands for the sockets' own: the pipe
/// serves the reader on it.</summary>
public sealed class FairReaderTests
{
    private const int Messages = 1000;

    [ThreadStatic]
    private static bool t_isWriting;

    private readonly Pipe _pipe = new(new PipeOptions(
        readerScheduler: PipeScheduler.Inline, writerScheduler: PipeScheduler.Inline,
        useSynchronizationContext: false));
    private readonly ManualTimeProvider _time = new();
    private readonly FairReader _reader;

    public FairReaderTests() => _reader = new FairReader(_pipe.Reader, () => (long)_time.Elapsed.TotalMilliseconds);

    [Fact]
    public async Task Read_PeerThatWaits_ServedOnTheThreadThatGotIt()
    {
        for (var i = 0; i < Messages; i++)
        {
            Assert.True(await IsServedHereAsync(waitMs: 2, workMs: 1));
        }
    }

    /// <summary>R46: it would keep the thread for itself, and nobody would be accepted.</summary>
    [Fact]
    public async Task Read_PeerThatSendsWithoutAPause_ServedByThePool()
    {
        var here = 0;
        for (var i = 0; i < Messages; i++)
            here += await IsServedHereAsync(waitMs: 0, workMs: 1) ? 1 : 0;

        // The first ones show that there is no pause.
        Assert.InRange(here, 1, 20);
    }

    [Fact]
    public async Task Read_FloodThatIsOver_ServedAsBefore()
    {
        for (var i = 0; i < Messages; i++)
            await IsServedHereAsync(waitMs: 0, workMs: 1);
        for (var i = 0; i < Messages; i++)
            await IsServedHereAsync(waitMs: 2, workMs: 1);

        Assert.True(await IsServedHereAsync(waitMs: 2, workMs: 1));
    }

    [Fact]
    public async Task TryRead_Flood_WaitsForItsTurn()
    {
        for (var i = 0; i < Messages; i++)
            await IsServedHereAsync(waitMs: 0, workMs: 1);
        await _pipe.Writer.WriteAsync(new byte[1]);

        Assert.False(_reader.TryRead(out _));
    }

    /// <summary>One read, begun before its byte comes.</summary>
    private async Task<bool> IsServedHereAsync(double waitMs, double workMs)
    {
        var isHere = false;
        var serving = ServeAsync();
        _time.Advance(waitMs);
        t_isWriting = true;
        var write = _pipe.Writer.WriteAsync(new byte[1]).AsTask();
        t_isWriting = false;
        await write;
        await serving.WaitAsync(Patience.Limit);
        return isHere;

        async Task ServeAsync()
        {
            var result = await _reader.ReadAsync();
            isHere = t_isWriting;
            _reader.AdvanceTo(result.Buffer.End);
            _time.Advance(workMs);
        }
    }
}
