using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace Gateway.Host.Http;

/// <summary>
/// All instruments of the gateway, and some of the web server, as text. Collecting reads counters that their owners
/// keep anyway, and takes none of their locks. One collection runs at a time, off the sockets' threads. Further
/// scrapers get a text that is at most <see cref="MaxAge"/> old, so that any number of scrapers costs ten collections a
/// second. Any thread.
/// </summary>
internal sealed class MetricsScraper(TimeProvider time, params string[] meters) : IDisposable
{
    public const int MaxWaiting = 64;

    private const int CollectDeadlineMs = 5_000;

    private static readonly TimeSpan MaxAge = TimeSpan.FromMilliseconds(100);

    private readonly PrometheusExporter _exporter = new();
    private readonly SemaphoreSlim _gate = new(1);
    private readonly Scrape?[] _last = new Scrape?[Enum.GetValues<ExpositionFormat>().Length];
    private MeterProvider? _provider;
    private int _waiting;

    /// <summary>Starts collecting the instruments. Called once.</summary>
    public void Start() => _provider = Sdk.CreateMeterProviderBuilder()
        .AddMeter(meters)
        .AddView(SeriesView.Of)
        .AddReader(new BaseExportingMetricReader(_exporter))
        .Build();

    /// <summary>Null if too many scrapers wait already, or if collecting failed.</summary>
    public async ValueTask<byte[]?> ScrapeAsync(
        ExpositionFormat format, CancellationToken cancellationToken)
    {
        if (Recent(format) is { } recent)
            return recent;
        try
        {
            if (Interlocked.Increment(ref _waiting) > MaxWaiting)
                return null;
            await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                return Recent(format) ?? await Task.Run(() => Collect(format), CancellationToken.None)
                    .ConfigureAwait(false);
            }
            finally
            {
                _gate.Release();
            }
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    public void Dispose()
    {
        _provider?.Dispose();
        _gate.Dispose();
    }

    private byte[]? Recent(ExpositionFormat format) =>
        Volatile.Read(ref _last[(int)format]) is { } last && time.GetElapsedTime(last.CollectedAt) < MaxAge
            ? last.Text
            : null;

    private byte[]? Collect(ExpositionFormat format)
    {
        var now = time.GetTimestamp();
        _exporter.Format = format;
        if (!_exporter.Collect!(CollectDeadlineMs))
            return null;
        var scrape = new Scrape(_exporter.Text.ToArray(), now);
        Volatile.Write(ref _last[(int)format], scrape);
        return scrape.Text;
    }

    private sealed record Scrape(byte[] Text, long CollectedAt);
}
