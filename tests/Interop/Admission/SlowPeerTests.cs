using Gateway.Client;
using Gateway.Interop.BadInput;

namespace Gateway.Interop.Admission;

/// <summary>Hundreds of sockets that begin and say no more: the deadlines end them all, a good client is served
/// meanwhile, and nothing stays (R05, R37).</summary>
public sealed class SlowPeerTests : IAsyncLifetime
{
    private const int Peers = 300;
    private AdmissionGateway gateway = null!;

    public async Task InitializeAsync() => gateway = await AdmissionGateway.StartAsync(
        "--Limits:HelloDeadline=00:00:04", "--Limits:OpenDeadline=00:00:04");

    public async Task DisposeAsync() => await gateway.DisposeAsync();

    [Fact]
    public async Task Peers_SilentAfterAFewBytes_AreEndedAndLeaveNothing()
    {
        byte[] hello = Uacp.Hello(gateway.Process.EndpointUrl);
        byte[][] beginnings = [[], hello[..1], hello[..(hello.Length / 2)], hello, [.. hello, .. Uacp.Open()[..20]]];
        await using ClientSession good = await gateway.OpenInTheEndAsync(gateway.Good);
        Levels before = await gateway.LevelsAsync(good);
        List<RawPeer> peers = [];

        for (int i = 0; i < Peers; i++)
        {
            RawPeer peer = await RawPeer.ConnectAsync(gateway.Process.Port, AdmissionGateway.AbuserAddress);
            peers.Add(peer);
            await peer.SendAsync(beginnings[i % beginnings.Length]);
        }

        await gateway.AssertServesInTheEndAsync();
        foreach (RawPeer peer in peers)
            await peer.AssertEndedAsync();
        await gateway.AssertBackAsync(good, before);
        await AdmissionMetrics.AssertShedAsync(gateway.Process, "hello", "silent", 1);
        await AdmissionMetrics.AssertShedAsync(gateway.Process, "open", "silent", 1);
        peers.ForEach(peer => peer.Dispose());
    }
}
