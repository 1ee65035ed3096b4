using System.Diagnostics.Metrics;
using Gateway.Codec.Structures;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Load;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.OpcUa.Tests.Health;

public sealed class UpstreamHealthTests
{
    /// <summary>A remedy beside a state that needs none sends an operator looking for a fault.</summary>
    [Fact]
    public void Report_ConnectedAfterAFailure_KeepsTheErrorWithoutTheRemedy()
    {
        using var metrics = new UpstreamMetrics("A", isInsecure: false, new ManualTimeProvider());
        var (options, time) = (new UpstreamOptions { Name = "A" }, new ManualTimeProvider());
        using var load = new UpstreamLoad(options, UpstreamLimits.Default, time, NullLogger.Instance);
        var health = new UpstreamHealth(options, metrics, load, time);

        health.Failed(new UpstreamFailure("it does not answer in time", "Check EndpointUrl", IsRefusal: false));
        Assert.Equal("Check EndpointUrl", health.Report.Remedy);

        health.Connected(new EndpointDescription(), isLoaded: false);
        Assert.Null(health.Report.Remedy);
        health.Loaded(1, 1, isLimited: false);
        Assert.Equal(
            (SourceState.Online, null, "it does not answer in time"),
            (health.Report.State, health.Report.Remedy, health.Report.LastError));
    }

    [Fact]
    public void Silence_OfAConnectedUpstream_SinceItsLastMessage()
    {
        var time = new ManualTimeProvider();
        using var metrics = new UpstreamMetrics("silent", isInsecure: false, time);
        var seen = new List<double>();
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, self) =>
            {
                if (instrument.Name == "gateway_upstream_silence_seconds")
                    self.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>((_, value, tags, _) =>
        {
            if (tags[0].Value is "silent")
                seen.Add(value);
        });
        listener.Start();

        listener.RecordObservableInstruments();
        metrics.Connected();
        time.Advance(TimeSpan.FromSeconds(3));
        listener.RecordObservableInstruments();
        metrics.Heard();
        listener.RecordObservableInstruments();

        Assert.Equal([3.0, 0.0], seen);
    }
}
