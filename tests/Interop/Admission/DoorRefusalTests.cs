using Gateway.Interop.BadInput;

namespace Gateway.Interop.Admission;

/// <summary>More connections at once than handshakes may be under way: some wait at the door, and who waits too long or
/// finds no room there is told when to come back.</summary>
public sealed class DoorRefusalTests(DoorRefusalTests.Fixture fixture) : IClassFixture<DoorRefusalTests.Fixture>
{
    private const int Connections = 300;

    [Fact]
    public async Task Connect_MoreThanTheDoorHasRoomFor_EachIsToldWhenToComeBack()
    {
        List<RawPeer> peers = [];
        for (int i = 0; i < Connections; i++)
            peers.Add(await RawPeer.ConnectAsync(fixture.Gateway.Process.Port, AdmissionGateway.AbuserAddress));

        await fixture.AssertShedAsync("connection", "queue_full", 1);
        await fixture.AssertShedAsync("connection", "waited_too_long", 1);
        await Refused.AssertErrAsync(peers[^1]);
        peers.ForEach(peer => peer.Reset());
        await fixture.Gateway.AssertServesInTheEndAsync();
    }

    public sealed class Fixture() : TightGateway(
        "--Limits:MaxWaitingConnections=20", "--Limits:DoorPatience=00:00:00.300", "--Limits:SilentLease=00:00:30",
        "--Limits:TargetHandshakeWait=00:00:00.010", "--Limits:HelloDeadline=00:00:20");
}
