using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.Testing;

namespace Gateway.PubSub.Tests.Outputs;

/// <summary>A name server that is not there yet keeps nothing else from starting.</summary>
public sealed class DatagramTargetTests
{
    [Fact]
    public async Task Look_NameOfNobody_SaysSoAndSendsNothing()
    {
        using var target = new DatagramTarget(new("nobody.invalid", 4840));
        Assert.Equal("nobody.invalid is not looked up yet", target.Error);

        await target.LookAsync();

        Assert.StartsWith("nobody.invalid cannot be looked up or used: ", target.Error, StringComparison.Ordinal);
        Assert.False(target.TrySend([1]));
    }

    /// <summary>An interface that comes later is found by a later look.</summary>
    [Fact]
    public async Task Look_GroupAtAnInterfaceThatIsNotThere_SaysSoAndSendsNothing()
    {
        using var target = new DatagramTarget(new("239.255.1.1", 4840, "nowhere0"));

        await target.LookAsync();

        Assert.Equal(
            "239.255.1.1 at nowhere0 cannot be looked up or used: AddressNotAvailable", target.Error);
        Assert.False(target.TrySend([1]));
    }

    /// <summary>By its name and by its address.</summary>
    [Theory]
    [InlineData("lo")]
    [InlineData("127.0.0.1")]
    public async Task Look_GroupAtAnInterface_DatagramsLeaveByIt(string name)
    {
        var group = IPAddress.Parse("239.255.1.1");
        using var receiver = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        receiver.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.PacketInformation, true);
        receiver.Bind(new IPEndPoint(group, 0));
        var at = new DatagramAddress("239.255.1.1", ((IPEndPoint)receiver.LocalEndPoint!).Port, name);
        at.Join(receiver, group);
        using var target = new DatagramTarget(at);
        await target.LookAsync();
        Assert.Null(target.Error);

        Assert.True(target.TrySend([7]));
        var buffer = new byte[2];
        var received = await receiver
            .ReceiveMessageFromAsync(buffer, SocketFlags.None, new IPEndPoint(IPAddress.Any, 0))
            .WaitAsync(Patience.Limit);

        Assert.Equal((1, 7), (received.ReceivedBytes, buffer[0]));
        Assert.Equal(NetworkInterface.LoopbackInterfaceIndex, received.PacketInformation.Interface);
    }

    [Theory]
    [InlineData("127.0.0.1", true)]
    [InlineData("localhost", false)]
    public async Task Look_AddressOrName_DatagramsArrive(string host, bool isIpv4)
    {
        using var target = new DatagramTarget(new(host, 0));
        Assert.Equal(isIpv4, target.IsIpv4);
        await target.LookAsync();
        Assert.Null(target.Error);

        using var receiver = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        using var other = new DatagramTarget(new("127.0.0.1", ((IPEndPoint)receiver.Client.LocalEndPoint!).Port));
        await other.LookAsync();
        Assert.True(other.TrySend([7]));

        Assert.Equal([7], (await receiver.ReceiveAsync().WaitAsync(Patience.Limit)).Buffer);
    }
}
