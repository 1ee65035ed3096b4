using System.Diagnostics;
using Gateway.Interop.BadInput;
using Gateway.Testing;

namespace Gateway.Interop.Admission;

/// <summary>The process at its limit of descriptors: it sheds, does not spin, does not die, and serves again as soon as
/// there is room.</summary>
public sealed class DescriptorLimitTests
{
    private const int Limit = 256;
    private const int Peers = 400;
    private const double WindowSeconds = 1;

    [Fact]
    public async Task Gateway_OutOfDescriptors_ShedsRecoversAndDoesNotSpin()
    {
        await using AdmissionGateway gateway = await AdmissionGateway.StartAsync(
            Limit, ["--Limits:HelloDeadline=00:05:00", "--Limits:OpenDeadline=00:05:00"]);
        int pid = gateway.Process.ProcessId;
        List<RawPeer> peers = [];
        for (int i = 0; i < Peers; i++)
        {
            peers.Add(await RawPeer.ConnectAsync(gateway.Process.Port, AdmissionGateway.AbuserAddress));
            await peers[i].SendAsync("H"u8.ToArray());
        }

        await AssertComesToRestAsync(pid);

        Assert.False(gateway.Process.HasEnded, gateway.Process.Output);
        Assert.InRange(ProcessFacts.Descriptors(pid), 1, Limit);
        peers.ForEach(peer => peer.Reset());
        await gateway.AssertServesInTheEndAsync();
    }

    /// <summary>What it still compiles for the load is done at some time; one that spins never rests: it takes as much
    /// as another that spins, however busy this machine is.</summary>
    private static async Task AssertComesToRestAsync(int pid)
    {
        using Process spinning = Process.Start("sh", ["-c", "ulimit -t 600; while :; do :; done"]);
        try
        {
            long begin = TimeProvider.System.GetTimestamp();
            using PeriodicTimer look = new(TimeSpan.FromMilliseconds(50));
            double share;
            do
            {
                (double before, double other) = (ProcessFacts.CpuSeconds(pid), ProcessFacts.CpuSeconds(spinning.Id));
                while (ProcessFacts.CpuSeconds(spinning.Id) - other < WindowSeconds)
                    await look.WaitForNextTickAsync();
                share = (ProcessFacts.CpuSeconds(pid) - before) / WindowSeconds;
                Assert.True(
                    TimeProvider.System.GetElapsedTime(begin) < Patience.Limit, $"{share:P0} of a core: it spins");
            }
            while (share > 0.6);
        }
        finally
        {
            spinning.Kill();
        }
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
