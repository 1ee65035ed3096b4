using System.Net;
using Gateway.Interop.BadInput;

namespace Gateway.Interop.Admission;

/// <summary>New connections faster than an address, or all together, may come; the buckets hold three seconds' worth.
/// </summary>
public sealed class ConnectionRateTests(ConnectionRateTests.Fixture fixture)
    : IClassFixture<ConnectionRateTests.Fixture>
{
    private const int PerSecondPerAddress = 5;
    private const int PerSecond = 40;

    [Fact]
    public async Task Connect_FasterThanAllowed_ErrWithHintForThatAddressAndThenForAll()
    {
        List<RawPeer> peers = [];
        for (int i = 0; i < 6 * PerSecondPerAddress; i++)
            peers.Add(await ConnectAsync("127.0.0.82"));
        await Refused.AssertErrAsync(peers[^1]);
        await fixture.Gateway.AssertServesAsync();
        await fixture.AssertShedAsync("connection", "connection_rate_per_address", 1);

        for (int i = 0; i < 6 * PerSecond; i++)
            peers.Add(await ConnectAsync($"127.0.1.{1 + (i % 200)}"));
        await Refused.AssertErrAsync(peers[^1]);
        await fixture.AssertShedAsync("connection", "connection_rate", 1);
        await fixture.Gateway.AssertServesInTheEndAsync();
        peers.ForEach(peer => peer.Dispose());
    }

    private Task<RawPeer> ConnectAsync(string from) =>
        RawPeer.ConnectAsync(fixture.Gateway.Process.Port, IPAddress.Parse(from));

    public sealed class Fixture() : TightGateway(
        $"--Limits:MaxConnectionsPerSecondPerAddress={PerSecondPerAddress}",
        $"--Limits:MaxConnectionsPerSecond={PerSecond}");
}
