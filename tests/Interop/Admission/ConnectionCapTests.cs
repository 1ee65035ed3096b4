using Gateway.Client;
using Gateway.Interop.BadInput;

namespace Gateway.Interop.Admission;

/// <summary>The cap on all connections: who says nothing makes room, and where all have active sessions the newcomer
/// is told when to come back (R06).</summary>
public sealed class ConnectionCapTests(ConnectionCapTests.Fixture fixture) : IClassFixture<ConnectionCapTests.Fixture>
{
    private const int MaxConnections = 12;
    private const int OfOneAddress = 10;

    [Fact]
    public async Task Connect_AllActive_ErrWithHintAndNoneIsClosed()
    {
        double before = await fixture.ShedAsync("connection", "max_connections");
        List<RawSession> active = [];
        for (int i = 0; i < MaxConnections; i++)
            active.Add(await fixture.Gateway.RawAsync(HandshakeState.Activated, AdmissionGateway.AddressOf(i)));

        using (RawPeer late = await RawPeer.ConnectAsync(fixture.Gateway.Process.Port, AdmissionGateway.GoodAddress))
            await Refused.AssertErrAsync(late);

        await fixture.AssertShedAsync("connection", "max_connections", before + 1);
        foreach (RawSession session in active)
            await session.CloseAsync();
    }

    [Fact]
    public async Task Connect_OneAddressIsActiveOnAllItCan_TheLastSixthIsOthers()
    {
        double before = await fixture.ShedAsync("connection", "reserved");
        List<RawSession> active = [];
        for (int i = 0; i < OfOneAddress; i++)
            active.Add(await fixture.Gateway.RawAsync(HandshakeState.Activated));

        using (RawPeer more = await RawPeer.ConnectAsync(fixture.Gateway.Process.Port, AdmissionGateway.AbuserAddress))
            await Refused.AssertErrAsync(more);
        await fixture.Gateway.AssertServesAsync();

        await fixture.AssertShedAsync("connection", "reserved", before + 1);
        foreach (RawSession session in active)
            await session.CloseAsync();
    }

    [Fact]
    public async Task Connect_FullOfChannelsWithoutSessions_ANewcomerIsServedAndTheActiveOnesStay()
    {
        double before = await fixture.ShedAsync("open", "recycled");
        await using ClientSession live = await fixture.Gateway.OpenAsync(fixture.Gateway.Good);
        List<RawSession> idle = [];
        for (int i = 0; i < MaxConnections - 1; i++)
            idle.Add(await fixture.Gateway.RawAsync(HandshakeState.Opened));

        await fixture.Gateway.AssertServesAsync();

        Assert.True(live.IsOpen);
        await fixture.AssertShedAsync("open", "recycled", before + 1);
        idle.ForEach(session => session.Dispose());
    }

    public sealed class Fixture() : TightGateway(
        $"--Limits:MaxConnections={MaxConnections}", "--Limits:MaxSessions=12");
}
