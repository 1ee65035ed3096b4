using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>Samples the storm four times a second until it is stopped.</summary>
internal sealed class StormSampler(StormField field, ProcessProbe? server)
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(250);

    public List<StormSample> Samples { get; } = [];

    public async Task RunAsync(CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            var bytes = server is { IsAlive: true } ? server.ResidentBytes() : double.NaN;
            Samples.Add(new StormSample(field.Now, field.UnderWay, field.Active, bytes));
            await Task.Delay(Period, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
