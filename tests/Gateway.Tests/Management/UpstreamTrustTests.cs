using System.Net;
using System.Text.Json;
using Gateway.Loadtest.Machine;
using Gateway.Sources;
using Gateway.Sources.OpcUa;
using Gateway.Tests.Clock;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary>Trust in an upstream, which is another gateway, by the same store as that in clients.</summary>
public sealed class UpstreamTrustTests
{
    private const string CumulatedSessions = "i=2278";

    [Fact]
    public async Task Upstream_UnknownThenTrustedThenChanged_HeldBackWithAReasonAndAcceptedByOneRequest()
    {
        var port = FreePort.Next();
        var controller = await StartControllerAsync(port);
        await using var gateway = await RunningGateway.StartAsync(
            "--Upstreams:0:Name=Press", $"--Upstreams:0:EndpointUrl=opc.tcp://127.0.0.1:{port}",
            "--Upstreams:0:User=anna", "--Upstreams:0:Password=geheim");

        var unknown = await RejectedAsync(gateway, "Untrusted, nobody has trusted it yet");
        // A password goes out with a session, and there has been none.
        var (_, sessions) = await RestGateway.GetAsync(
            controller.Client, RestGateway.Query("/api/v1/values", CumulatedSessions));
        Assert.Equal(0, sessions.GetProperty("values")[0].GetProperty("value").GetInt32());
        await TrustAsync(gateway, unknown);
        await Condition.UntilAsync(() => StateOf(gateway) is SourceState.Online or SourceState.Limited);
        Assert.Equal(unknown, PresentedTo(gateway));

        await controller.DisposeAsync();
        controller = await StartControllerAsync(port);
        var changed = await RejectedAsync(gateway, $"Until now: {unknown}");
        Assert.NotEqual(unknown, changed);
        await TrustAsync(gateway, changed);
        await Condition.UntilAsync(() => StateOf(gateway) is SourceState.Online or SourceState.Limited);
        Assert.Equal(changed, PresentedTo(gateway));
        await controller.DisposeAsync();
    }

    private static Task<RunningGateway> StartControllerAsync(int port) => RunningGateway.StartAsync(
        $"--OpcUa:Port={port}", "--Users:0:Name=anna", "--Users:0:Password=geheim", "--Users:0:Roles=Operator");

    private static SourceState StateOf(RunningGateway gateway) =>
        gateway.Get<SourceDrivers>().Report(OpcUaDriver.DriverName).Single().State;

    private static string PresentedTo(RunningGateway gateway) =>
        gateway.Get<SourceDrivers>().Upstreams().Single().Certificates.Single().Thumbprint;

    /// <returns>The thumbprint of the upstream's one with that reason.</returns>
    private static async Task<string> RejectedAsync(RunningGateway gateway, string reason)
    {
        JsonElement found = default;
        await Condition.UntilAsync(async () =>
        {
            var (_, all) = await RestGateway.GetAsync(gateway.Client, "/api/v1/certificates?store=rejected");
            found = all.GetProperty("certificates").EnumerateArray().FirstOrDefault(one =>
                // The file is there a moment before its reason.
                one.TryGetProperty("reason", out var told) &&
                told.GetString()!.Contains(reason, StringComparison.Ordinal));
            return found.ValueKind == JsonValueKind.Object;
        });
        Assert.Equal("Press", found.GetProperty("upstream").GetString());
        Assert.Equal("server", found.GetProperty("role").GetString());
        return found.GetProperty("thumbprint").GetString()!;
    }

    private static async Task TrustAsync(RunningGateway gateway, string thumbprint)
    {
        using var answer = await gateway.Client.PostAsync(
            new Uri($"/api/v1/certificates/{thumbprint}/trust", UriKind.Relative), null);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
    }
}
