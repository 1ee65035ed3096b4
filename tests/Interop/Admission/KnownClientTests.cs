using Gateway.Client;
using Gateway.Interop.Gateways;

namespace Gateway.Interop.Admission;

/// <summary>Clients that were active are known, also to the next process on the same folder.</summary>
public sealed class KnownClientTests
{
    private const string Known = "gateway_admission_known_certificates";

    [Fact]
    public async Task Gateway_StoppedAndStarted_StillKnowsWhoWasActive()
    {
        await using AdmissionGateway gateway = await AdmissionGateway.StartAsync();
        GatewayProcess process = gateway.Process;
        Assert.Equal(0, await AdmissionMetrics.ReadAsync(process, Known));
        await gateway.AssertServesAsync();
        using (UaClient another = gateway.Client(AdmissionGateway.AbuserAddress))
            await (await gateway.OpenAsync(another)).DisposeAsync();

        Assert.Equal(0, await process.StopAsync());
        await process.StartAsync();

        Assert.Equal(2, await AdmissionMetrics.ReadAsync(process, Known));
        await gateway.AssertServesAsync();
    }
}
