using System.Net;
using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Interop.BadInput;

namespace Gateway.Interop.Admission;

/// <summary>The caps on connections as a client sees them on the wire, and the counters that they move.</summary>
public sealed class ConnectionRefusalTests(ConnectionRefusalTests.Fixture fixture)
    : IClassFixture<ConnectionRefusalTests.Fixture>
{
    private const int MaxPerAddress = 8;
    private const int MaxPerCertificate = 2;

    [Fact]
    public async Task Connect_MoreThanAnAddressMayHave_ErrWithHintThereOnly()
    {
        IPAddress crowded = IPAddress.Parse("127.0.0.80");
        double before = await fixture.ShedAsync("connection", "max_connections_per_address");
        List<RawSession> open = [];
        for (int i = 0; i < MaxPerAddress; i++)
            open.Add(await fixture.Gateway.RawAsync(HandshakeState.Opened, crowded));

        using (RawPeer late = await RawPeer.ConnectAsync(fixture.Gateway.Process.Port, crowded))
            await Refused.AssertErrAsync(late);
        await fixture.Gateway.AssertServesAsync();

        await fixture.AssertShedAsync("connection", "max_connections_per_address", before + 1);
        open.ForEach(session => session.Dispose());
    }

    [Fact]
    public async Task Open_MoreThanACertificateMayHave_ErrWithHintForItOnly()
    {
        using UaClient crowded = fixture.Gateway.Client(IPAddress.Parse("127.0.0.81"));
        double before = await fixture.ShedAsync("open", "max_connections_per_certificate");
        await using ClientSession first = await fixture.Gateway.OpenAsync(crowded);
        await using ClientSession second = await fixture.Gateway.OpenAsync(crowded);

        ServiceException refused =
            await Assert.ThrowsAsync<ServiceException>(async () => await fixture.Gateway.OpenAsync(crowded));
        await fixture.Gateway.AssertServesAsync();

        Assert.Equal(new StatusCode(StatusCodes.BadTcpServerTooBusy), refused.Status);
        Assert.True(refused.RetryAfter > TimeSpan.Zero);
        await fixture.AssertShedAsync("open", "max_connections_per_certificate", before + 1);
        Assert.True(first.IsOpen && second.IsOpen);
    }

    public sealed class Fixture() : TightGateway(
        $"--Limits:MaxConnectionsPerAddress={MaxPerAddress}",
        $"--Limits:MaxConnectionsPerCertificate={MaxPerCertificate}");
}
