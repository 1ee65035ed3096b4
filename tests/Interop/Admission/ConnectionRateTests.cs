using System.Net;
using Gateway.Codec.Types;
using Gateway.Interop.BadInput;

namespace Gateway.Interop.Admission;

/// <summary>New connections faster than an address, or all together, may come; the buckets hold three seconds' worth.
/// </summary>
public sealed class ConnectionRateTests(ConnectionRateTests.Fixture fixture)
    : IClassFixture<ConnectionRateTests.Fixture>
{
    private const int PerSecondPerAddress = 2;
    private const int PerSecond = 10;

    [Fact]
    public async Task Connect_FasterThanAllowed_ErrWithHintForThatAddressAndThenForAll()
    {
        await ConnectUntilRefusedAsync(_ => "127.0.0.82");
        await fixture.Gateway.AssertServesAsync();
        await fixture.AssertShedAsync("connection", "connection_rate_per_address", 1);

        await ConnectUntilRefusedAsync(i => $"127.0.1.{1 + (i % 200)}");
        await fixture.AssertShedAsync("connection", "connection_rate", 1);
        await fixture.Gateway.AssertServesInTheEndAsync();
    }

    /// <summary>They say nothing. One that comes too early gets its ERR at once, one that was let in only at the
    /// deadline of its HEL: how many are let in depends on this machine's pace.</summary>
    private async Task ConnectUntilRefusedAsync(Func<int, string> from)
    {
        List<RawPeer> peers = [];
        Dictionary<Task<byte[]?>, RawPeer> waiting = [];
        Task<byte[]?> first;
        do
        {
            for (int i = 0; i < 6 * PerSecond; i++)
            {
                RawPeer peer = await RawPeer.ConnectAsync(
                    fixture.Gateway.Process.Port, IPAddress.Parse(from(peers.Count)));
                peers.Add(peer);
                waiting.Add(peer.ReceiveAsync(), peer);
            }

            first = await Task.WhenAny(waiting.Keys);
            Assert.True(peers.Count < 100 * PerSecond, "none was refused");
        }
        while (await first is { } error && RawPeer.ErrorOf(error) == StatusCodes.BadTimeout && waiting.Remove(first));

        await Refused.AssertErrAsync(waiting[first], await first);
        peers.ForEach(peer => peer.Dispose());
    }

    public sealed class Fixture() : TightGateway(
        $"--Limits:MaxConnectionsPerSecondPerAddress={PerSecondPerAddress}",
        $"--Limits:MaxConnectionsPerSecond={PerSecond}");
}
