using System.Diagnostics.Metrics;
using System.Text;
using Gateway.Host.Http;
using Gateway.Testing;

namespace Gateway.Tests.Http;

public sealed class MetricsScraperTests : IDisposable
{
    private readonly Meter _meter = new("Test." + Guid.NewGuid().ToString("N"));
    private readonly ManualTimeProvider _time = new();

    public void Dispose() => _meter.Dispose();

    [Fact]
    public async Task Scrape_Counter_TotalExactlyOnce()
    {
        _meter.CreateObservableCounter("gateway_things_total", () => 7L, null, "Things.");
        _meter.CreateObservableCounter("work", () => 0.25, "s");

        Assert.Equal(
            """
            # HELP gateway_things_total Things.
            # TYPE gateway_things_total counter
            gateway_things_total 7
            # TYPE gateway_work_seconds_total counter
            gateway_work_seconds_total 0.25

            """,
            await ScrapeAsync(ExpositionFormat.Text));
        Assert.Equal(
            """
            # HELP gateway_things Things.
            # TYPE gateway_things counter
            gateway_things_total 7
            # TYPE gateway_work_seconds counter
            # UNIT gateway_work_seconds seconds
            gateway_work_seconds_total 0.25
            # EOF

            """,
            await ScrapeAsync(ExpositionFormat.OpenMetrics));
    }

    /// <summary>Memory is taken for all series that a family may have: for many only where configuration makes them.
    /// </summary>
    [Theory]
    [InlineData("gateway_upstream_things", false)]
    [InlineData("gateway_things", true)]
    public async Task Scrape_ThousandSeries_AreKeptWhereTheConfigurationMakesThem(string name, bool isCut)
    {
        _meter.CreateObservableGauge(
            name,
            static () => Enumerable.Range(0, 1000)
                .Select(static i => new Measurement<int>(i, KeyValuePair.Create("label", (object?)$"{i}"))));

        var text = await ScrapeAsync(ExpositionFormat.Text);

        Assert.Equal(isCut, !text.Contains("label=\"999\"", StringComparison.Ordinal));
        Assert.Equal(isCut, text.Contains("otel_metric_overflow=\"true\"", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("gateway_x_bytes", "By", "gateway_x_bytes")]
    [InlineData("gateway_x", "By", "gateway_x_bytes")]
    [InlineData("x.y-z", "s", "gateway_x_y_z_seconds")]
    [InlineData("gateway_x", "{session}", "gateway_x")]
    [InlineData("gateway_x", "ms", "gateway_x")]
    [InlineData("gateway_x", "1", "gateway_x")]
    public async Task Scrape_Gauge_NamedByItsUnit(string instrument, string unit, string name)
    {
        _meter.CreateObservableGauge(instrument, () => 3, unit);

        var text = await ScrapeAsync(ExpositionFormat.Text);

        Assert.Equal($"# TYPE {name} gauge\n{name} 3\n", text);
    }

    [Fact]
    public async Task Scrape_Labels_Escaped()
    {
        _meter.CreateObservableGauge("gateway_x", () => new Measurement<int>(
            1, Tag("a", "back\\slash"), Tag("b", "a \"quote\""), Tag("c", "two\nlines"), Tag("d.e", true),
            Tag("f", null), Tag("g", 1.5)));

        var text = await ScrapeAsync(ExpositionFormat.Text);

        Assert.Contains(
            """gateway_x{a="back\\slash",b="a \"quote\"",c="two\nlines",d_e="true",g="1.5"} 1""", text,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Scrape_Help_QuotesEscapedInOpenMetricsAlone()
    {
        _meter.CreateObservableGauge("gateway_x", () => 1, null, "a \"b\"\nc\\d");

        Assert.Contains("""# HELP gateway_x a "b"\nc\\d""", await ScrapeAsync(ExpositionFormat.Text));
        Assert.Contains("""# HELP gateway_x a \"b\"\nc\\d""", await ScrapeAsync(ExpositionFormat.OpenMetrics));
    }

    [Theory]
    [InlineData(double.NaN, "NaN")]
    [InlineData(double.PositiveInfinity, "+Inf")]
    [InlineData(double.NegativeInfinity, "-Inf")]
    [InlineData(0.1, "0.1")]
    [InlineData(-3e300, "-3E+300")]
    [InlineData(12345678901.5, "12345678901.5")]
    public async Task Scrape_Number_Written(double value, string written)
    {
        _meter.CreateObservableGauge("gateway_x", () => value);

        Assert.EndsWith($"gateway_x {written}\n", await ScrapeAsync(ExpositionFormat.Text));
    }

    [Fact]
    public async Task Scrape_Histogram_CumulativeBuckets()
    {
        var histogram = _meter.CreateHistogram("gateway_wait_seconds", "s", "Waited.", null,
            new InstrumentAdvice<double> { HistogramBucketBoundaries = [0.001, 0.5, 1, 20] });
        using var scraper = new MetricsScraper(_time, _meter.Name);
        scraper.Start();
        foreach (var value in new[] { 0.0005, 0.001, 0.25, 0.75, 3, 100 })
            histogram.Record(value, Tag("stage", "open"));

        var text = Encoding.UTF8.GetString((await scraper.ScrapeAsync(ExpositionFormat.OpenMetrics, default))!);

        Assert.Equal(
            """
            # HELP gateway_wait_seconds Waited.
            # TYPE gateway_wait_seconds histogram
            # UNIT gateway_wait_seconds seconds
            gateway_wait_seconds_bucket{stage="open",le="0.001"} 2
            gateway_wait_seconds_bucket{stage="open",le="0.5"} 3
            gateway_wait_seconds_bucket{stage="open",le="1.0"} 4
            gateway_wait_seconds_bucket{stage="open",le="20.0"} 5
            gateway_wait_seconds_bucket{stage="open",le="+Inf"} 6
            gateway_wait_seconds_sum{stage="open"} 104.0015
            gateway_wait_seconds_count{stage="open"} 6
            # EOF

            """,
            text);
    }

    [Fact]
    public async Task Scrape_TwoMetersOfOneName_OneFamily()
    {
        using var other = new Meter(_meter.Name);
        _meter.CreateObservableGauge("gateway_up", () => new Measurement<int>(1, Tag("upstream", "A")), null, "Up.");
        _meter.CreateObservableGauge("gateway_other", () => 1);
        other.CreateObservableGauge("gateway_up", () => new Measurement<int>(0, Tag("upstream", "B")), null, "Up.");

        var text = await ScrapeAsync(ExpositionFormat.Text);

        Assert.Contains("gauge\ngateway_up{upstream=\"A\"} 1\ngateway_up{upstream=\"B\"} 0\n", text);
        Assert.Single(text.Split('\n'), line => line == "# TYPE gateway_up gauge");
    }

    [Fact]
    public async Task Scrape_Nothing_StillComplete()
    {
        _meter.CreateObservableGauge("gateway_x", () => Array.Empty<Measurement<int>>());

        Assert.Equal("", await ScrapeAsync(ExpositionFormat.Text));
        Assert.Equal("# EOF\n", await ScrapeAsync(ExpositionFormat.OpenMetrics));
    }

    [Fact]
    public async Task Scrape_ManyAtOnce_CollectedOnce()
    {
        var collections = 0;
        _meter.CreateObservableCounter("gateway_x_total", () => (long)Interlocked.Increment(ref collections));
        using var scraper = new MetricsScraper(_time, _meter.Name);
        scraper.Start();

        var texts = await Task.WhenAll(Enumerable.Range(0, MetricsScraper.MaxWaiting).Select(
            _ => scraper.ScrapeAsync(ExpositionFormat.Text, default).AsTask()));

        Assert.Equal(1, collections);
        Assert.All(texts, text => Assert.Same(texts[0], text));
    }

    [Fact]
    public async Task Scrape_Later_CollectedAgain()
    {
        var collections = 0;
        _meter.CreateObservableCounter("gateway_x_total", () => (long)Interlocked.Increment(ref collections));
        using var scraper = new MetricsScraper(_time, _meter.Name);
        scraper.Start();
        await scraper.ScrapeAsync(ExpositionFormat.Text, default);
        _time.Advance(99);
        await scraper.ScrapeAsync(ExpositionFormat.Text, default);
        Assert.Equal(1, collections);
        _time.Advance(1);
        await scraper.ScrapeAsync(ExpositionFormat.Text, default);

        Assert.Equal(2, collections);
    }

    [Fact]
    public async Task Scrape_MoreThanMayWait_Refused()
    {
        using var collecting = new SemaphoreSlim(0);
        using var mayEnd = new SemaphoreSlim(0);
        _meter.CreateObservableGauge("gateway_x", () =>
        {
            collecting.Release();
            mayEnd.Wait();
            return 1;
        });
        using var scraper = new MetricsScraper(_time, _meter.Name);
        scraper.Start();
        var first = scraper.ScrapeAsync(ExpositionFormat.Text, default).AsTask();
        await collecting.WaitAsync();
        var waiting = Enumerable.Range(1, MetricsScraper.MaxWaiting - 1).Select(
            _ => scraper.ScrapeAsync(ExpositionFormat.Text, default).AsTask()).ToList();

        var refused = await scraper.ScrapeAsync(ExpositionFormat.Text, default);
        mayEnd.Release();

        Assert.Null(refused);
        Assert.NotNull(await first);
        Assert.All(await Task.WhenAll(waiting), Assert.NotNull);
    }

    [Fact]
    public async Task Scrape_BrokenInstrument_TheOthersStand()
    {
        _meter.CreateObservableGauge("gateway_a", int () => throw new InvalidOperationException("no"));
        _meter.CreateObservableGauge("gateway_b", () => 2);

        Assert.Equal("# TYPE gateway_b gauge\ngateway_b 2\n", await ScrapeAsync(ExpositionFormat.Text));
    }

    private async Task<string> ScrapeAsync(ExpositionFormat format)
    {
        using var scraper = new MetricsScraper(_time, _meter.Name);
        scraper.Start();
        return Encoding.UTF8.GetString((await scraper.ScrapeAsync(format, default))!);
    }

    private static KeyValuePair<string, object?> Tag(string name, object? value) => new(name, value);
}
