using System.Net;
using Gateway.Admission.Clients;

namespace Gateway.Admission.Tests.Clients;

public sealed class AddressKeyTests
{
    [Theory]
    [InlineData("192.0.2.7", "192.0.2.7", "192.0.2.0")]
    [InlineData("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.0")]
    [InlineData("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", "2001:db8:1::")]
    [InlineData("2001:db8:1:2:ffff::1", "2001:db8:1:2::", "2001:db8:1::")]
    [InlineData("2001:db8:1:3::1", "2001:db8:1:3::", "2001:db8:1::")]
    [InlineData("fe80::1%3", "fe80::", "fe80::")]
    [InlineData("::1", "::1", "::")]
    [InlineData("127.0.0.1", "127.0.0.1", "127.0.0.0")]
    public void Of_Address_PeerAndItsNetwork(string address, string peer, string network)
    {
        Assert.Equal(IPAddress.Parse(peer), AddressKey.Of(IPAddress.Parse(address)));
        Assert.Equal(IPAddress.Parse(peer), AddressKey.Of(new IPEndPoint(IPAddress.Parse(address), 5)));
        Assert.Equal(IPAddress.Parse(network), AddressKey.NetworkOf(IPAddress.Parse(address)));
    }

    [Fact]
    public void Of_NoAddress_OneForAll()
    {
        Assert.Equal(IPAddress.None, AddressKey.Of((IPAddress?)null));
        Assert.Equal(IPAddress.None, AddressKey.Of(new DnsEndPoint("host", 1)));
    }

    [Fact]
    public void Address_OfOneSlash64_OneAccount()
    {
        var control = new AdmissionControl(new AdmissionLimits(), TimeProvider.System, true, 200);

        var first = control.Clients.Address(IPAddress.Parse("2001:db8::1"));
        for (var i = 2; i < 1_000; i++)
            Assert.Same(first, control.Clients.Address(IPAddress.Parse($"2001:db8::{i:x}")));

        Assert.NotSame(first, control.Clients.Address(IPAddress.Parse("2001:db8:0:1::1")));
        Assert.Equal(2, control.Clients.AddressCount);
    }
}
