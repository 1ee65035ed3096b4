namespace Gateway.Host.Http;

internal enum ExpositionFormat
{
    /// <summary>The Prometheus text format, version 0.0.4.</summary>
    Text,

    /// <summary>OpenMetrics 1.0.</summary>
    OpenMetrics,
}
