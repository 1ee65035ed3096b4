using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Tests.Machine;

public sealed class SystemCallsTests
{
    [Fact]
    public void Parse_WhatPerfPrints_IsTheCount() =>
        Assert.Equal(1234, SystemCalls.Parse("\n1234,,raw_syscalls:sys_enter,1001,100.00,,\n"));

    [Theory]
    [InlineData("<not supported>,,raw_syscalls:sys_enter,0,100.00,,")]
    [InlineData("perf: no permission")]
    [InlineData("")]
    public void Parse_NoCount_IsNotKnown(string output) => Assert.True(double.IsNaN(SystemCalls.Parse(output)));

    [Fact]
    public async Task Stop_NoProcess_IsNotKnown()
    {
        using var calls = SystemCalls.Start(0);

        Assert.True(double.IsNaN(await calls.StopAsync()));
    }
}
