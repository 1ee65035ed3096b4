using System.Diagnostics.Metrics;
using OpenTelemetry.Metrics;

namespace Gateway.Host.Http;

/// <summary>
/// How many series a family may have. OpenTelemetry takes the memory for all of them at once: 2,000 for each of some
/// 250 families were 30 MB. Those that grow with the configuration keep its default; the others have their labels from
/// our own code, or none.
/// </summary>
internal static class SeriesView
{
    public const int MostFixed = 400;

    private static readonly string[] Configured =
    [
        "gateway_http_request_", "gateway_modbus_", "gateway_pubsub_", "gateway_source_", "gateway_store_",
        "gateway_upstream_",
    ];

    public static MetricStreamConfiguration? Of(Instrument instrument)
    {
        ArgumentNullException.ThrowIfNull(instrument);
        if (instrument.Meter.Name == KestrelView.Meter)
            return KestrelView.Of(instrument);
        return Array.Exists(Configured, prefix => instrument.Name.StartsWith(prefix, StringComparison.Ordinal))
            ? null
            : new MetricStreamConfiguration { CardinalityLimit = MostFixed };
    }
}
