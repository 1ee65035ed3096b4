using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Gateway.Host.Http;
using Gateway.Tests.Clock;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Http;

/// <summary>The durations of HTTP requests, as one gateway measures them.</summary>
public sealed class HttpTimingTests
{
    [Fact]
    public async Task Durations_ByRoute_NeverByPathOrTheClientsMethod()
    {
        await using var gateway = await RunningGateway.StartAsync();
        using var measured = new Measured(gateway.Get<HttpCounters>().Meter);
        for (var i = 0; i < 20; i++)
        {
            (await gateway.Client.GetAsync($"/api/v1/nodes/ns=2;i={1000 + i}")).Dispose();
            (await gateway.Client.GetAsync($"/no/such/{i}")).Dispose();
            using var odd = new HttpRequestMessage(new HttpMethod($"ODD{i}"), "/api/v1/values");
            (await gateway.Client.SendAsync(odd)).Dispose();
        }

        // The client may have its answer before the gateway is done with the request.
        await Condition.UntilAsync(() => measured.Counts.Values.Sum() == 60);
        Assert.Equal(20, measured.Counts[("/api/v1/nodes/{**id}", "GET")]);
        Assert.Equal(20, measured.Counts[(HttpAdmission.OtherRoute, "GET")]);
        Assert.Equal(20, measured.Counts.Where(static one => one.Key.Method == "_OTHER").Sum(static one => one.Value));
        Assert.Equal(3, measured.Counts.Count);
    }

    /// <summary>It lasts as long as its client likes.</summary>
    [Fact]
    public async Task Durations_OfAStream_AreNotMeasured()
    {
        await using var gateway = await RunningGateway.StartAsync();
        using var measured = new Measured(gateway.Get<HttpCounters>().Meter);
        using (var stream = await gateway.Client.GetAsync(
            RestGateway.Query("/api/v1/stream", RestGateway.Int16), HttpCompletionOption.ResponseHeadersRead))
        {
            Assert.Equal("text/event-stream", stream.Content.Headers.ContentType?.MediaType);
        }

        (await gateway.Client.GetAsync("/livez")).Dispose();
        await gateway.StopAsync();

        Assert.Equal(("/livez", "GET"), Assert.Single(measured.Counts).Key);
    }

    private sealed class Measured : IDisposable
    {
        private readonly MeterListener _listener = new();

        public Measured(Meter meter)
        {
            _listener.InstrumentPublished = (instrument, self) =>
            {
                if (ReferenceEquals(instrument.Meter, meter) && instrument is Histogram<double>)
                    self.EnableMeasurementEvents(instrument);
            };
            _listener.SetMeasurementEventCallback<double>((_, _, tags, _) =>
                Counts.AddOrUpdate(
                    ((string)tags[0].Value!, (string)tags[1].Value!), 1, static (_, count) => count + 1));
            _listener.Start();
        }

        public ConcurrentDictionary<(string Route, string Method), int> Counts { get; } = new();

        public void Dispose() => _listener.Dispose();
    }
}
