using System.Threading.Channels;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>Wakes the loop that has work to do, however often it was set. Threads: any sets, one waits.</summary>
internal sealed class WorkSignal(TimeProvider time)
{
    private readonly Channel<bool> _signal = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    public void Set() => _signal.Writer.TryWrite(true);

    /// <param name="atMost">So long, where nothing sets it.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    public async ValueTask WaitAsync(TimeSpan atMost, CancellationToken cancellation)
    {
        using var look = new CancellationTokenSource(atMost, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellation, look.Token);
        Task signalled = _signal.Reader.WaitToReadAsync(either.Token).AsTask();
        await signalled.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellation.ThrowIfCancellationRequested();
        _signal.Reader.TryRead(out _);
    }
}
