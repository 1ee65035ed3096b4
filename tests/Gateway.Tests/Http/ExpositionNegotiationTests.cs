using Gateway.Host.Http;

namespace Gateway.Tests.Http;

public sealed class ExpositionNegotiationTests
{
    private const string Prometheus2 = "application/openmetrics-text;version=1.0.0," +
        "application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

    private const string Prometheus3 = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5," +
        "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3," +
        "text/plain;version=0.0.4;q=0.2,*/*;q=0.1";

    [Theory]
    [InlineData(Prometheus2)]
    [InlineData(Prometheus3)]
    [InlineData("application/openmetrics-text")]
    [InlineData("application/openmetrics-text; version=\"1.0.0\"")]
    public void Choose_OpenMetricsLikedBest_OpenMetrics(string accept) =>
        Assert.Equal(ExpositionFormat.OpenMetrics, ExpositionNegotiation.Choose(accept));

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("*/*")]
    [InlineData("text/html,application/xhtml+xml,*/*;q=0.8")]
    [InlineData("text/plain;version=0.0.4;q=1,*/*;q=0.1")]
    [InlineData("application/openmetrics-text;version=1.0.0;q=0.3,text/plain;q=0.5")]
    [InlineData("application/openmetrics-text;version=2.0.0")]
    [InlineData("application/openmetrics-text;q=0")]
    [InlineData("application/openmetrics-text;version=")]
    [InlineData(";;;")]
    public void Choose_Otherwise_Text(string? accept) =>
        Assert.Equal(ExpositionFormat.Text, ExpositionNegotiation.Choose(accept));
}
