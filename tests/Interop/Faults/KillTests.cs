using Gateway.Client;
using Gateway.Interop.Admission;
using Gateway.Interop.Gateways;

namespace Gateway.Interop.Faults;

/// <summary>kill −9 while files are written: the next start works, and what was written before is there.</summary>
public sealed class KillTests
{
    private const int Kills = 3;

    [Fact]
    public async Task Gateway_KilledWhileItKeepsCertificates_StartsAgainAndKnowsItsClients()
    {
        await using AdmissionGateway gateway = await AdmissionGateway.StartAsync();
        GatewayProcess process = gateway.Process;
        await gateway.AssertServesAsync();
        Assert.Equal(0, await process.StopAsync());
        string known = Path.Combine(process.Pki, "known-certificates.txt");
        string before = await File.ReadAllTextAsync(known);
        Assert.NotEmpty(before);

        for (int i = 0; i < Kills; i++)
        {
            await process.StartAsync();
            await gateway.AssertServesAsync();
            Task[] rejected = [.. Enumerable.Range(0, 8).Select(_ => RejectAsync(gateway))];
            await Task.WhenAny(rejected);
            await process.KillAsync();
            await Task.WhenAll(rejected);
            // What a kill within a write leaves: half of a file beside its place.
            foreach (string half in Halves(process.Pki))
                await File.WriteAllTextAsync(half, "half");
        }

        await process.StartAsync();
        await gateway.AssertServesAsync();
        Assert.Equal(before, await File.ReadAllTextAsync(known));
        Assert.Empty(Directory.GetFiles(Path.Combine(process.Pki, "rejected", "certs"), "*.tmp"));
        Assert.Equal(0, await process.StopAsync());
    }

    private static string[] Halves(string pki) =>
    [
        Path.Combine(pki, "known-certificates.txt.new"), Path.Combine(pki, "upstream-namespaces.json.new"),
        Path.Combine(pki, "rejected", "certs", "half[00].der.tmp"), Path.Combine(pki, "own", "certs", "half.der.new"),
        Path.Combine(pki, "own", "private", "half.pem.new"),
    ];

    private static async Task RejectAsync(AdmissionGateway gateway)
    {
        UaClient expired = gateway.Client(AdmissionGateway.AbuserAddress, expired: true);
        await Assert.ThrowsAsync<ServiceException>(() => gateway.OpenAsync(expired).AsTask());
    }
}
