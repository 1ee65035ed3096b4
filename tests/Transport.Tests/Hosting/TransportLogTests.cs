using System.Net;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Tests.Hosting;

public sealed class TransportLogTests
{
    private static readonly IPEndPoint Remote = new(IPAddress.Loopback, 4000);

    [Fact]
    public void CloseLine_NothingKnownOfThePeer_HasNoEmptyFields()
    {
        var line = new CloseLine(Remote, "", "", ChannelCloseReason.CertificateRejected, "why");

        Assert.Equal("Connection of 127.0.0.1:4000 ended: CertificateRejected. why", line.ToString());
        Assert.Equal(["Remote", "Reason", "Detail", "{OriginalFormat}"], line.Select(field => field.Key));
    }

    [Fact]
    public void CloseLine_AllKnown_SaysIt()
    {
        var line = new CloseLine(Remote, "opc.tcp://a", "AB", ChannelCloseReason.PeerClosed, "");

        Assert.Equal(
            "Connection of 127.0.0.1:4000 for opc.tcp://a with certificate AB ended: PeerClosed", line.ToString());
        Assert.Equal("AB", line.Single(field => field.Key == "Thumbprint").Value);
    }
}
