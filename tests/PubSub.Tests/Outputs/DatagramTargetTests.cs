using System.Net;
using System.Net.Sockets;
using Gateway.PubSub.Outputs;
using Gateway.Testing;

namespace Gateway.PubSub.Tests.Outputs;

/// <summary>A name server that is not there yet keeps nothing else from starting.</summary>
public sealed class DatagramTargetTests
{
    [Fact]
    public async Task Look_NameOfNobody_SaysSoAndSendsNothing()
    {
        using var target = new DatagramTarget("nobody.invalid", 4840);
        Assert.Equal("nobody.invalid is not looked up yet", target.Error);

        await target.LookAsync();

        Assert.StartsWith("nobody.invalid cannot be looked up or used: ", target.Error, StringComparison.Ordinal);
        Assert.False(target.TrySend([1]));
    }

    [Theory]
    [InlineData("127.0.0.1", true)]
    [InlineData("localhost", false)]
    public async Task Look_AddressOrName_DatagramsArrive(string host, bool isIpv4)
    {
        using var target = new DatagramTarget(host, 0);
        Assert.Equal(isIpv4, target.IsIpv4);
        await target.LookAsync();
        Assert.Null(target.Error);

        using var receiver = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        using var other = new DatagramTarget("127.0.0.1", ((IPEndPoint)receiver.Client.LocalEndPoint!).Port);
        await other.LookAsync();
        Assert.True(other.TrySend([7]));

        Assert.Equal([7], (await receiver.ReceiveAsync().WaitAsync(Patience.Limit)).Buffer);
    }
}
