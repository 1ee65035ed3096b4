using Gateway.Client;
using Gateway.Interop.Admission;
using Gateway.Interop.Gateways;
using Gateway.Loadtest.Machine;
using Gateway.Testing;

namespace Gateway.Interop.Faults;

/// <summary>The PKI folder cannot be written: the gateway lives and serves, says what it could not keep, and ends in
/// order.</summary>
public sealed class DiskTests
{
    [MountFact]
    public async Task Gateway_RestartedOnAReadOnlyDisk_ServesAndEndsInOrder()
    {
        TemporaryFolder folder = new();
        await using (GatewayProcess first = await GatewayProcess.StartAsync(folder, "--demo", "--Simulator:Tags=10"))
            Assert.Equal(0, await first.StopAsync());
        await using AdmissionGateway gateway = await MountedGateway.StartAsync(folder, MountedGateway.ReadOnly);

        await AssertServesAndRejectsAsync(gateway);

        await gateway.Process.WaitForLogAsync("could not be kept as a file");
        Assert.Equal(0, await gateway.Process.StopAsync());
        Assert.Contains("known-certificates.txt cannot be written", gateway.Process.Output);
    }

    [MountFact]
    public async Task Gateway_DiskFullForAWhile_ServesAndKeepsFilesAgainOnceThereIsRoom()
    {
        await using AdmissionGateway gateway =
            await MountedGateway.StartAsync(new TemporaryFolder(), MountedGateway.SmallDisk);
        Fill(gateway.Process);
        for (int i = 0; i < 5; i++)
            await AssertServesAndRejectsAsync(gateway);
        await gateway.Process.WaitForLogAsync("could not be kept as a file");
        string rejected = MountedGateway.Seen(gateway.Process, "rejected", "certs");
        Assert.Empty(Directory.GetFiles(rejected));

        File.Delete(Filler(gateway.Process));
        await AssertServesAndRejectsAsync(gateway);
        await UntilAsync(() => Directory.GetFiles(rejected, "*.der").Length > 0);

        Fill(gateway.Process);
        Assert.Equal(0, await gateway.Process.StopAsync());
        Assert.Contains("known-certificates.txt cannot be written", gateway.Process.Output);
    }

    /// <summary>Without a certificate there is nothing to serve with: the start says so.</summary>
    [MountFact]
    public async Task Gateway_FirstStartOnAReadOnlyDisk_SaysWhyAndEnds()
    {
        using TemporaryFolder folder = new();
        await using ChildProcess gateway = new(
            MountedGateway.Command(folder, MountedGateway.EmptyAndReadOnly, FreePort.Next(), FreePort.Next()),
            static _ => { });

        Assert.Equal(1, await gateway.Exit.WaitAsync(Patience.Limit));

        Assert.Contains("The gateway cannot start: ", gateway.Output);
        Assert.Contains("Read-only file system", gateway.Output);
        Assert.DoesNotContain("   at ", gateway.Output);
    }

    private static string Filler(GatewayProcess gateway) => MountedGateway.Seen(gateway, "filler");

    /// <summary>To the last byte.</summary>
    private static void Fill(GatewayProcess gateway)
    {
        byte[] block = new byte[4096];
        using FileStream filler = new(Filler(gateway), FileMode.Create, FileAccess.Write, FileShare.None, 0);
        Assert.Throws<IOException>(WriteOn);

        void WriteOn()
        {
            while (true)
                filler.Write(block);
        }
    }

    /// <summary>A good client is served; one with an expired certificate is rejected, whose file is to be kept.</summary>
    private static async Task AssertServesAndRejectsAsync(AdmissionGateway gateway)
    {
        await gateway.AssertServesAsync();
        UaClient expired = gateway.Client(AdmissionGateway.AbuserAddress, expired: true);
        await Assert.ThrowsAsync<ServiceException>(() => gateway.OpenAsync(expired).AsTask());
        Assert.False(gateway.Process.HasEnded, gateway.Process.Output);
    }

    private static async Task UntilAsync(Func<bool> holds)
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(20));
        while (!holds())
            await look.WaitForNextTickAsync(patience.Token);
    }
}
