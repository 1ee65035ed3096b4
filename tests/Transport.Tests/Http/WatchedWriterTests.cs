using System.IO.Pipelines;
using Gateway.Testing;
using Gateway.Transport.Http;

namespace Gateway.Transport.Tests.Http;

public sealed class WatchedWriterTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly Pipe _pipe = new(new PipeOptions(pauseWriterThreshold: 1, resumeWriterThreshold: 1));

    public WatchedWriterTests() => _time.Advance(TimeSpan.FromSeconds(1));

    /// <summary>A flush was cancelled, and the connection goes on: its peer takes nothing all the same.</summary>
    [Fact]
    public async Task FlushAsync_BehindOneThatWasCancelled_IsWatched()
    {
        var writer = new WatchedWriter(_pipe.Writer, _time);
        using var cancelled = new CancellationTokenSource();
        var first = writer.WriteAsync(new byte[2], cancelled.Token).AsTask();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.WaitAsync(Patience.Limit));
        _time.Advance(TimeSpan.FromSeconds(3));

        var second = writer.FlushAsync().AsTask();
        _time.Advance(TimeSpan.FromSeconds(2));

        Assert.False(second.IsCompleted);
        Assert.Equal(TimeSpan.FromSeconds(2), writer.StalledFor(_time.GetTimestamp()));
        await _pipe.Reader.CompleteAsync();
        await second.WaitAsync(Patience.Limit);
    }

    /// <summary>Another thread looks while the next wait begins.</summary>
    [Fact]
    public async Task StalledFor_AsTheNextWaitBegins_IsNotOfTheOneBefore()
    {
        var time = new WatchedTime(_time);
        var writer = new WatchedWriter(_pipe.Writer, time);
        using var cancelled = new CancellationTokenSource();
        var first = writer.WriteAsync(new byte[2], cancelled.Token).AsTask();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.WaitAsync(Patience.Limit));
        _time.Advance(TimeSpan.FromMinutes(1));
        var longest = TimeSpan.Zero;
        time.OnRead = () => longest = writer.StalledFor(_time.GetTimestamp());

        var second = writer.FlushAsync().AsTask();

        Assert.False(second.IsCompleted);
        Assert.Equal(TimeSpan.Zero, longest);
        time.OnRead = null;
        await _pipe.Reader.CompleteAsync();
        await second.WaitAsync(Patience.Limit);
    }

    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 2)]
    public async Task FlushAsync_Over_StalledForIsOfItsEnd(bool hasEnded, int seconds)
    {
        var writer = new WatchedWriter(_pipe.Writer, _time);
        var flush = writer.WriteAsync(new byte[2]).AsTask();
        _time.Advance(TimeSpan.FromSeconds(2));

        if (hasEnded)
            await _pipe.Reader.CompleteAsync();
        else
            _pipe.Reader.AdvanceTo((await _pipe.Reader.ReadAsync()).Buffer.End);
        await flush.WaitAsync(Patience.Limit);
        _time.Advance(TimeSpan.FromSeconds(5));

        Assert.Equal(TimeSpan.FromSeconds(seconds), writer.StalledFor(_time.GetTimestamp()));
    }

    private sealed class WatchedTime(ManualTimeProvider inner) : TimeProvider
    {
        public Action? OnRead { get; set; }

        public override long TimestampFrequency => inner.TimestampFrequency;

        public override long GetTimestamp()
        {
            OnRead?.Invoke();
            return inner.GetTimestamp();
        }
    }
}
