using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Tests.Machine;

public sealed class ProcessProbeTests
{
    [Fact]
    public void Sample_OwnProcess_TellsAll()
    {
        using var probe = new ProcessProbe(Environment.ProcessId);

        var sample = probe.Sample();

        Assert.True(probe.IsAlive);
        Assert.True(sample.CpuSeconds > 0);
        Assert.True(sample.ResidentBytes > 1 << 20);
        Assert.True(sample.Threads > 1);
        Assert.True(sample.ContextSwitches > 0);
        Assert.True(sample.Runtime!.Value.AllocatedBytes > 0);
    }
}
