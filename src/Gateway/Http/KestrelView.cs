using System.Diagnostics.Metrics;
using OpenTelemetry.Metrics;

namespace Gateway.Host.Http;

/// <summary>The web server's own instruments: those that an operator asks for, by the port alone. Its other labels have
/// addresses, and its histograms a series for each of them.</summary>
internal static class KestrelView
{
    public const string Meter = "Microsoft.AspNetCore.Server.Kestrel";

    private const int MostPorts = 100;

    private static readonly string[] Kept =
    [
        "kestrel.active_connections", "kestrel.rejected_connections", "kestrel.queued_connections",
        "kestrel.queued_requests", "kestrel.upgraded_connections", "kestrel.active_tls_handshakes",
    ];

    public static MetricStreamConfiguration Of(Instrument instrument) => Kept.Contains(instrument.Name)
        ? new MetricStreamConfiguration { TagKeys = ["server.port"], CardinalityLimit = MostPorts }
        : MetricStreamConfiguration.Drop;
}
