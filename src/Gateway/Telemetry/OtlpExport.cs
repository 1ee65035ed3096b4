using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Http;
using Gateway.Transport.Tracing;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace Gateway.Host.Telemetry;

/// <summary>Sends spans and metrics to the collector. It exists only where <c>Otlp:Endpoint</c> is given.</summary>
internal sealed class OtlpExport(
    OtlpOptions options, OtlpLimits limits, OtlpCounters counters, OtlpTeller teller,
    ResourceBuilder resource, ILogger<OtlpTeller> logger) : IHostedLifecycleService, IDisposable
{
    /// <summary>OpenTelemetry's own default.</summary>
    private const int MetricIntervalMs = 60_000;

    private TracerProvider? _spans;
    private MeterProvider? _metrics;

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        teller.Start(logger);
        counters.Start();
        _spans = Sdk.CreateTracerProviderBuilder()
            .AddSource(RequestTracing.SourceName)
            // RequestTracing has decided before a span is made.
            .SetSampler(new AlwaysOnSampler())
            .SetResourceBuilder(resource)
            .AddProcessor(new BoundedSpans(
                new CountedSpans(OptionsOf(options, "traces"), new OtlpOutcome(counters.Traces, teller)),
                counters.Traces, limits.MaxOtlpQueueLength))
            .Build();
        _metrics = Sdk.CreateMeterProviderBuilder()
            .AddMeter("Gateway.*")
            .AddView(SeriesView.Of)
            .SetResourceBuilder(resource)
            // The options read OTEL_METRIC_EXPORT_INTERVAL; the reader's own defaults do not.
            .AddReader(new PeriodicExportingMetricReader(
                new CountedMetrics(OptionsOf(options, "metrics"), new OtlpOutcome(counters.Metrics, teller)),
                new PeriodicExportingMetricReaderOptions().ExportIntervalMilliseconds ?? MetricIntervalMs))
            .Build();
        return Task.CompletedTask;
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>The last spans and figures go while the parts that keep the figures are still there.</summary>
    public Task StoppedAsync(CancellationToken cancellationToken) => Task.Run(
        () =>
        {
            _spans?.ForceFlush(OtlpBatch.StopMs);
            _metrics?.ForceFlush(OtlpBatch.StopMs);
        },
        CancellationToken.None);

    public void Dispose()
    {
        _spans?.Dispose();
        _metrics?.Shutdown(OtlpBatch.StopMs);
        _metrics?.Dispose();
    }

    /// <summary>With what OTEL_RESOURCE_ATTRIBUTES says.</summary>
    public static ResourceBuilder ResourceOf(string applicationUri) => ResourceBuilder.CreateDefault().AddService(
        "opc-ua-gateway", null, ProductVersion.Text, autoGenerateServiceInstanceId: false, applicationUri);

    /// <summary>Headers and certificates: the variables OTEL_EXPORTER_OTLP_… of the SDK.</summary>
    /// <param name="options">Where to.</param>
    /// <param name="signal">As it stands in the paths of HTTP.</param>
    public static OtlpExporterOptions OptionsOf(OtlpOptions options, string signal) => new()
    {
        Protocol = options.IsGrpc ? OtlpExportProtocol.Grpc : OtlpExportProtocol.HttpProtobuf,
        Endpoint = options.IsGrpc
            ? options.Endpoint!
            : new Uri(options.Endpoint!.ToString().TrimEnd('/') + "/v1/" + signal),
        TimeoutMilliseconds = OtlpBatch.TimeoutMs,
    };
}
