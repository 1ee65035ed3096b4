using Gateway.Codec.Structures;
using Gateway.Sources.OpcUa.Health;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Health;

public sealed class UpstreamHealthTests
{
    /// <summary>A remedy beside a state that needs none sends an operator looking for a fault.</summary>
    [Fact]
    public void Report_ConnectedAfterAFailure_KeepsTheErrorWithoutTheRemedy()
    {
        using var metrics = new UpstreamMetrics("A", isInsecure: false);
        var health = new UpstreamHealth(new UpstreamOptions { Name = "A" }, metrics, new ManualTimeProvider());

        health.Failed(new UpstreamFailure("it does not answer in time", "Check EndpointUrl", IsRefusal: false));
        Assert.Equal("Check EndpointUrl", health.Report.Remedy);

        health.Connected(new EndpointDescription());
        Assert.Null(health.Report.Remedy);
        health.Loaded(1, 1, isLimited: false);
        Assert.Equal(
            (SourceState.Online, null, "it does not answer in time"),
            (health.Report.State, health.Report.Remedy, health.Report.LastError));
    }
}
