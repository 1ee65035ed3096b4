using Gateway.Sources;
using Gateway.Sources.OpcUa;
using Gateway.Tests.Clock;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;
using Gateway.Transport.Hosting;

namespace Gateway.Tests.Reloading;

/// <summary>Upstreams come, change and go: another gateway is the controller.</summary>
public sealed class ReloadedUpstreamsTests
{
    private const string Tag = "nsu=urn:gateway:Press:urn:gateway:simulator;s=Int32";

    [Fact]
    public async Task Reload_UpstreamComesChangesAndGoes_ItsNodesToo()
    {
        await using var controller = await RunningGateway.StartAsync("--OpcUa:SecurityPolicies=None");
        await using var gateway = await ReloadGateway.StartAsync("{}");
        var url = $"opc.tcp://127.0.0.1:{controller.Get<UaTcpOptions>().EndPoint.Port}";

        await gateway.ApplyAsync(Upstreams(Named("Press", url)));
        await Condition.UntilAsync(() => IsServedAsync(gateway));
        var press = gateway.Host.Get<SourceDrivers>().Report(OpcUaDriver.DriverName).Single();
        await gateway.ApplyAsync(Upstreams(Named("Press", url), Named("Lathe", "opc.tcp://127.0.0.1:9")));
        Assert.Equal(
            ["Press", "Lathe"],
            gateway.Host.Get<SourceDrivers>().Report(OpcUaDriver.DriverName).Select(one => one.Name));
        Assert.Equal(
            press.Since, gateway.Host.Get<SourceDrivers>().Report(OpcUaDriver.DriverName)[0].Since);
        Assert.True(await IsServedAsync(gateway));

        await gateway.ApplyAsync(Upstreams(Named("Press", url, intervalMs: 100)));
        await Condition.UntilAsync(() => IsServedAsync(gateway));

        await gateway.ApplyAsync("{}");
        Assert.Empty(gateway.Host.Get<SourceDrivers>().Report(OpcUaDriver.DriverName));
        var (_, answer) = await RestGateway.GetAsync(gateway.Host.Client, RestGateway.Query("/api/v1/values", Tag));
        Assert.Equal("BadNodeIdUnknown", answer.GetProperty("values")[0].GetProperty("status").GetString());
    }

    private static string Named(string name, string url, int intervalMs = 250) =>
        $$"""
        {
          "Name": "{{name}}", "EndpointUrl": "{{url}}", "SecurityPolicy": "None",
          "PublishingIntervalMs": {{intervalMs}}
        }
        """;

    private static string Upstreams(params string[] upstreams) => $"{{\"Upstreams\":[{string.Join(',', upstreams)}]}}";

    private static async Task<bool> IsServedAsync(ReloadGateway gateway)
    {
        var (_, answer) = await RestGateway.GetAsync(gateway.Host.Client, RestGateway.Query("/api/v1/values", Tag));
        return answer.GetProperty("values")[0].GetProperty("status").GetString() == "Good";
    }
}
