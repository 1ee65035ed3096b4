using System.Globalization;
using Gateway.Interop.Gateways;
using Gateway.Testing;

namespace Gateway.Interop.Admission;

/// <summary>The gateway's counters as an operator's Prometheus reads them.</summary>
internal static class AdmissionMetrics
{
    private static readonly HttpClient Http = new();

    /// <summary>Refused so far, by stage and reason in snake_case; 0 where there is no such series yet.</summary>
    public static Task<double> ShedAsync(GatewayProcess gateway, string stage, string reason) =>
        ReadAsync(gateway, "gateway_admission_shed_total", $"stage=\"{stage}\"", $"reason=\"{reason}\"");

    /// <summary>A scrape may be a moment old. Fails when so many are not reached.</summary>
    public static async Task AssertShedAsync(GatewayProcess gateway, string stage, string reason, double atLeast)
    {
        long since = TimeProvider.System.GetTimestamp();
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(100));
        double now;
        while ((now = await ShedAsync(gateway, stage, reason)) < atLeast)
        {
            Assert.True(
                TimeProvider.System.GetElapsedTime(since) < Patience.Limit, $"{now} of {atLeast} {stage} {reason}");
            await look.WaitForNextTickAsync();
        }
    }

    /// <summary>Of all series with these labels together.</summary>
    public static async Task<double> ReadAsync(GatewayProcess gateway, string name, params string[] labels)
    {
        string text = await Http.GetStringAsync(new Uri($"http://127.0.0.1:{gateway.HttpPort}/metrics"));
        return text.Split('\n')
            .Where(line => line.StartsWith(name + "{", StringComparison.Ordinal)
                || line.StartsWith(name + " ", StringComparison.Ordinal))
            .Where(line => labels.All(label => line.Contains(label, StringComparison.Ordinal)))
            .Sum(line => double.Parse(line.Split(' ')[1], CultureInfo.InvariantCulture));
    }
}
