using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Sessions;

public sealed class UpstreamPipelinesTests
{
    [Fact]
    public async Task Connect_RefusedWithHint_WaitsForIt()
    {
        var time = new Testing.ManualTimeProvider();
        var waited = new TaskCompletionSource<TimeSpan>(TaskCreationOptions.RunContinuationsAsynchronously);
        var pipeline = UpstreamPipelines.Connect(
            time, failure => UpstreamLoss.DelayOf(null, failure), (_, delay, _) => waited.TrySetResult(delay));
        using var stop = new CancellationTokenSource();
        var run = pipeline.ExecuteAsync(
            static _ => ValueTask.FromException(Busy(60)), stop.Token).AsTask();
        Assert.InRange((await waited.Task.WaitAsync(Patience.Limit)).TotalSeconds, 60, 72);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => run);
    }

    [Fact]
    public async Task Requests_HintLongerThanPatience_NotTriedAgain()
    {
        var tries = 0;
        var pipeline = UpstreamPipelines.Requests(new Testing.ManualTimeProvider(), static _ => { });
        await Assert.ThrowsAsync<ServiceException>(() => pipeline.ExecuteAsync(_ =>
        {
            tries++;
            return ValueTask.FromException(Busy(60));
        }).AsTask());
        Assert.Equal(1, tries);
    }

    private static ServiceException Busy(double seconds) => new(StatusCodes.BadServerTooBusy, "busy")
    {
        RetryAfter = TimeSpan.FromSeconds(seconds),
    };
}
