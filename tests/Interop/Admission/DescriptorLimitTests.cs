using Gateway.Interop.BadInput;

namespace Gateway.Interop.Admission;

/// <summary>The process at its limit of descriptors: it sheds, does not spin, does not die, and serves again as soon as
/// there is room.</summary>
public sealed class DescriptorLimitTests
{
    private const int Limit = 256;
    private const int Peers = 400;
    private static readonly TimeSpan Exhausted = TimeSpan.FromSeconds(2);

    [Fact]
    public async Task Gateway_OutOfDescriptors_ShedsRecoversAndDoesNotSpin()
    {
        await using AdmissionGateway gateway = await AdmissionGateway.StartAsync(
            Limit, ["--Limits:HelloDeadline=00:00:10", "--Limits:OpenDeadline=00:00:10"]);
        int pid = gateway.Process.ProcessId;
        List<RawPeer> peers = [];
        for (int i = 0; i < Peers; i++)
        {
            peers.Add(await RawPeer.ConnectAsync(gateway.Process.Port, AdmissionGateway.AbuserAddress));
            await peers[i].SendAsync("H"u8.ToArray());
        }

        double cpuBefore = ProcessFacts.CpuSeconds(pid);
        using PeriodicTimer exhaustion = new(Exhausted);
        await exhaustion.WaitForNextTickAsync();
        double cpu = ProcessFacts.CpuSeconds(pid) - cpuBefore;

        Assert.False(gateway.Process.HasEnded, gateway.Process.Output);
        Assert.InRange(ProcessFacts.Descriptors(pid), 1, Limit);
        Assert.True(cpu < Exhausted.TotalSeconds * 0.6, $"{cpu} s CPU in {Exhausted}: it spins");
        peers.ForEach(peer => peer.Reset());
        await gateway.AssertServesInTheEndAsync();
    }

    /// <summary>With its descriptors taken by silent peers for good, a good client gets in: the deadlines, or the
    /// recycling of who says nothing, make room.</summary>
    [Fact]
    public async Task Gateway_OutOfDescriptorsForLong_StillServesInTheEnd()
    {
        await using AdmissionGateway gateway = await AdmissionGateway.StartAsync(
            Limit, ["--Limits:HelloDeadline=00:00:02", "--Limits:OpenDeadline=00:00:02"]);
        List<RawPeer> peers = [];
        for (int i = 0; i < Peers; i++)
            peers.Add(await RawPeer.ConnectAsync(gateway.Process.Port, AdmissionGateway.AbuserAddress));

        await gateway.AssertServesInTheEndAsync();

        Assert.False(gateway.Process.HasEnded, gateway.Process.Output);
        foreach (RawPeer peer in peers)
            await peer.AssertEndedAsync();
        peers.ForEach(peer => peer.Dispose());
    }
}
