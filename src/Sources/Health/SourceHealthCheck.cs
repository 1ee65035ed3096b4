using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Gateway.Sources.Health;

/// <summary>The health of one driver: that of its worst source. It does not decide whether clients should connect to
/// this gateway. Threads: any.</summary>
internal sealed class SourceHealthCheck(SourceDrivers drivers, string driver) : IHealthCheck
{
    /// <summary>By which such checks are asked for together.</summary>
    public const string Tag = "source";

    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var worst = HealthStatus.Healthy;
        var states = new Dictionary<string, object>(StringComparer.Ordinal);
        var failing = new List<string>();
        foreach (var source in drivers.Report(driver))
        {
            var status = StatusOf(source.State);
            worst = status < worst ? status : worst;
            states[source.Name] = SourceStateNames.Of(source.State);
            if (status != HealthStatus.Healthy)
                failing.Add($"{source.Name}: {SourceStateNames.Of(source.State)}");
        }

        return Task.FromResult(new HealthCheckResult(
            worst, failing.Count == 0 ? null : string.Join(", ", failing), data: states));
    }

    private static HealthStatus StatusOf(SourceState state) => state switch
    {
        SourceState.Online => HealthStatus.Healthy,
        SourceState.Away or SourceState.Faulted => HealthStatus.Unhealthy,
        _ => HealthStatus.Degraded,
    };
}
