using System.Globalization;
using Gateway.Loadtest.Peers;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>The broker is killed in mid-flow, stays away and comes back with the subscriber's session. Messages of the
/// outage come first, in order; the store is empty when a value is as young on arrival as it was before.</summary>
internal sealed class OutageRun(RunContext gateway, Mosquitto broker, PubSubSubscriber subscriber)
{
    private const double MegabyteBytes = 1e6;
    private const double SteadySeconds = 3;
    private const double YoungMs = 500;
    private const int PatienceFactor = 20;

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(2);
    private static readonly TimeSpan LeastPatience = TimeSpan.FromSeconds(60);

    private readonly PublishedCheck _check = subscriber.Check;
    private readonly TimeProvider _time = TimeProvider.System;

    public async Task RunAsync()
    {
        var report = gateway.Report;
        var outage = gateway.Get(PubSubScenario.OutageSeconds);
        var steady = await RateAsync();
        await broker.SaveAsync(gateway.Cancellation);
        await broker.KillAsync();
        var (before, bytes) = (_check.Fields, subscriber.Bytes);
        await gateway.WaitAsync("without a broker", outage);
        await broker.RunAsync(gateway.Cancellation);
        var since = _time.GetTimestamp();
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(gateway.Cancellation);
        patience.CancelAfter(LeastPatience + TimeSpan.FromSeconds(PatienceFactor * outage));
        gateway.Progress.Begin("the gateway comes back");
        await UntilAsync(() => _check.Fields > before, patience.Token);
        var first = _time.GetElapsedTime(since).TotalSeconds;
        var meter = gateway.StartMeter();
        gateway.Progress.Begin("the store drains");
        await UntilAsync(() => _check.LastAgeMs < YoungMs, patience.Token);
        var window = meter.Stop();
        var (values, drained) = (_check.Fields - before, subscriber.Bytes - bytes);
        var after = await RateAsync();

        report.BeginColumn(PubSubScenario.Outage);
        report.Add("values a second", after, "/s");
        report.Add("values a second before the outage", steady, "/s");
        report.Add("outage", outage, "s");
        report.Add("from the broker's start to the first value", first, "s");
        report.Add("values that came while it drained", values);
        report.Add("drained", drained / MegabyteBytes, "MB");
        report.Add("time to drain", window.Seconds, "s");
        report.Add("drain rate, with what is new", values / window.Seconds, "/s");
        report.Add("publisher CPU", window.ServerCores, "cores");
        report.Add("driver CPU", window.DriverCores, "cores");
        report.Add("messages that came again", _check.Again);
        PubSubTable.PrintFaults(report, _check, isPeer: false);
        Extrapolate(steady, values / window.Seconds, drained * (steady / values));
    }

    /// <summary>An hour's messages at the rates that were seen: stated, not measured.</summary>
    private void Extrapolate(double steady, double drain, double bytesPerSecond)
    {
        const double Hour = 3600;
        var seconds = Hour * steady / (drain - steady);
        gateway.Report.Add("extrapolated: an hour's outage drains in", seconds > 0 ? seconds : double.NaN, "s");
        gateway.Report.Add("extrapolated: an hour's outage takes of the store", Hour * bytesPerSecond / 1e9, "GB");
        gateway.Report.Note(string.Create(
            CultureInfo.InvariantCulture,
            $"an hour's outage is extrapolated: {Hour:N0} s × {steady:N0}/s ÷ ({drain:N0} − {steady:N0})/s"));
    }

    private async Task<double> RateAsync()
    {
        var (from, since) = (_check.Fields, _time.GetTimestamp());
        await gateway.WaitAsync("steady rate", SteadySeconds);
        return (_check.Fields - from) / _time.GetElapsedTime(since).TotalSeconds;
    }

    private static async Task UntilAsync(Func<bool> holds, CancellationToken cancellation)
    {
        while (!holds())
            await Task.Delay(Look, cancellation);
    }
}
