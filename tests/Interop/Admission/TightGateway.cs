namespace Gateway.Interop.Admission;

/// <summary>One gateway with small limits for all tests of a class.</summary>
public abstract class TightGateway(params string[] limits) : IAsyncLifetime
{
    internal AdmissionGateway Gateway { get; private set; } = null!;

    public async Task InitializeAsync() => Gateway = await AdmissionGateway.StartAsync(
        ["--Limits:RefusalHoldTime=00:00:00.100", "--Limits:LingerTime=00:00:00.100", .. limits]);

    public async Task DisposeAsync() => await Gateway.DisposeAsync();

    internal Task<double> ShedAsync(string stage, string reason) =>
        AdmissionMetrics.ShedAsync(Gateway.Process, stage, reason);

    internal Task AssertShedAsync(string stage, string reason, double atLeast) =>
        AdmissionMetrics.AssertShedAsync(Gateway.Process, stage, reason, atLeast);
}
