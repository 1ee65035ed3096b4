using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Gateway.Host.Hosting;

/// <summary>Whether clients should be sent here: from the ready line until the shutdown begins. Any thread.</summary>
internal sealed class Readiness : IHealthCheck
{
    private volatile bool _isReady;

    public bool IsReady => _isReady;

    public void Set(bool isReady) => _isReady = isReady;

    public Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(IsReady ? HealthCheckResult.Healthy() : HealthCheckResult.Unhealthy());
}
