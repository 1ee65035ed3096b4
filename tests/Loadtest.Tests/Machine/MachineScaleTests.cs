using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Tests.Machine;

public sealed class MachineScaleTests
{
    [Theory]
    [InlineData(2763, 1)]
    [InlineData(1381.5, 2)]
    [InlineData(4000, 1)]
    [InlineData(double.NaN, 1)]
    [InlineData(0, 1)]
    public void Of_SlowerMachine_HasMoreTime(double signaturesPerSecond, double scale) =>
        Assert.Equal(scale, MachineScale.Of(signaturesPerSecond));
}
