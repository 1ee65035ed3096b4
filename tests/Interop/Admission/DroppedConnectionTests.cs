using Gateway.Client;

namespace Gateway.Interop.Admission;

/// <summary>Clients that are gone in each state of the handshake leave nothing behind: descriptors, sessions and
/// subscriptions are back where they were (R37).</summary>
public sealed class DroppedConnectionTests(DroppedConnectionTests.Fixture fixture)
    : IClassFixture<DroppedConnectionTests.Fixture>
{
    private const int Clients = 60;
    private const int AtATime = 20;

    public static TheoryData<HandshakeState> States { get; } = [.. Enum.GetValues<HandshakeState>()];

    [Theory]
    [MemberData(nameof(States))]
    public async Task Drop_InAnyState_LeavesNothing(HandshakeState state)
    {
        AdmissionGateway gateway = fixture.Gateway;
        await using ClientSession good = await gateway.OpenAsync(gateway.Good);
        Levels before = await gateway.LevelsAsync(good);
        int arrived = 0;

        await Parallel.ForAsync(0, Clients, new ParallelOptions { MaxDegreeOfParallelism = AtATime },
            async (number, _) =>
            {
                using RawSession client =
                    await RawSession.ConnectAsync(gateway.Process, AdmissionGateway.AbuserAddress);
                // Their sessions end soon, on a machine that stands still for a while before they are there.
                if (await client.GoToAsync(state))
                    Interlocked.Increment(ref arrived);
                if (number % 2 == 0)
                    client.Peer.Reset();
            });

        Assert.InRange(arrived, Clients / 2, Clients);
        await gateway.AssertBackAsync(good, before);
    }

    /// <summary>The same with security: the work is on the lane when the client is gone.</summary>
    [Theory]
    [InlineData(HandshakeState.OpenSent)]
    [InlineData(HandshakeState.Opened)]
    [InlineData(HandshakeState.Activated)]
    public async Task Drop_SecuredInAnyState_LeavesNothing(HandshakeState state)
    {
        AdmissionGateway gateway = fixture.Gateway;
        await using ClientSession good = await gateway.OpenAsync(gateway.Good);
        RecordedOpening opening = await RecordedOpening.RecordAsync(fixture.Abuser, gateway.Process.EndpointUrl);
        Levels before = await gateway.LevelsAsync(good);

        await Parallel.ForAsync(0, Clients, new ParallelOptions { MaxDegreeOfParallelism = AtATime },
            async (_, cancellation) =>
            {
                if (state == HandshakeState.Activated)
                    (await gateway.OpenInTheEndAsync(fixture.Abuser)).Abort();
                else
                    await opening.ReplayAsync(
                        gateway.Process.Port, AdmissionGateway.AbuserAddress, state == HandshakeState.Opened);
            });

        await gateway.AssertBackAsync(good, before);
    }

    public sealed class Fixture : IAsyncLifetime
    {
        internal AdmissionGateway Gateway { get; private set; } = null!;

        internal UaClient Abuser { get; private set; } = null!;

        public async Task InitializeAsync()
        {
            Gateway = await AdmissionGateway.StartAsync(
                "--Limits:MinSessionTimeout=00:00:01", "--Limits:MinSubscriptionLifetimeMs=1000");
            Abuser = Gateway.Client(AdmissionGateway.AbuserAddress, sessionTimeoutSeconds: 3);
        }

        public async Task DisposeAsync() => await Gateway.DisposeAsync();
    }
}
