namespace Gateway.Loadtest.Checks;

/// <summary>Some measurements over the same seconds.</summary>
internal sealed class Measurements(params IMeasurement[] all) : IMeasurement
{
    public Task MeasureAsync(double seconds, CancellationToken cancellation) =>
        Task.WhenAll(all.Select(one => one.MeasureAsync(seconds, cancellation)));
}
