using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Interop.Admission;

/// <summary>The caps on sessions as a client sees them on the wire, and the counters that they move.</summary>
public sealed class SessionRefusalTests(SessionRefusalTests.Fixture fixture)
    : IClassFixture<SessionRefusalTests.Fixture>
{
    private const int MaxSessions = 6;
    private const int MaxPerChannel = 3;

    [Fact]
    public async Task CreateSession_AllPlacesActive_TooManySessionsWithHint()
    {
        double before = await fixture.ShedAsync("create_session", "max_sessions");
        List<RawSession> active = [];
        for (int i = 0; i < MaxSessions; i++)
            active.Add(await fixture.Gateway.RawAsync(HandshakeState.Activated, AdmissionGateway.AddressOf(i)));
        using RawSession late = await fixture.Gateway.RawAsync(HandshakeState.Opened);

        Refused.Of(await late.AskAsync(late.CreateRequest())).AssertIs(StatusCodes.BadTooManySessions, hasHint: true);
        ServiceException refused = await Assert.ThrowsAsync<ServiceException>(
            async () => await fixture.Gateway.OpenAsync(fixture.Gateway.Good));

        Assert.Equal(new StatusCode(StatusCodes.BadTooManySessions), refused.Status);
        Assert.True(refused.RetryAfter > TimeSpan.Zero);
        await fixture.AssertShedAsync("create_session", "max_sessions", before + 2);
        foreach (RawSession session in active)
            await session.CloseAsync();
    }

    [Fact]
    public async Task CreateSession_PlacesHeldByUnactivated_TheNewcomerGetsInAndIsNotRefused()
    {
        double before = await fixture.ShedAsync("create_session", "recycled");
        List<RawSession> hoarders = [];
        for (int i = 0; i < MaxSessions; i++)
            hoarders.Add(await fixture.Gateway.RawAsync(HandshakeState.Created));

        await fixture.Gateway.AssertServesAsync();

        await fixture.AssertShedAsync("create_session", "recycled", before + 1);
        hoarders.ForEach(hoarder => hoarder.Dispose());
    }

    [Fact]
    public async Task CreateSession_MoreThanAChannelMayHave_TooManySessions()
    {
        double before = await fixture.ShedAsync("create_session", "max_sessions_per_secure_channel");
        using RawSession channel = await fixture.Gateway.RawAsync(HandshakeState.Opened);
        for (int i = 0; i < MaxPerChannel; i++)
        {
            ResponseHeader created = await channel.AskAsync(channel.CreateRequest());
            Assert.True(created.ServiceResult.IsGood, $"{created.ServiceResult}");
        }

        Refused refused = Refused.Of(await channel.AskAsync(channel.CreateRequest()));

        Assert.Equal(new StatusCode(StatusCodes.BadTooManySessions), refused.Status);
        await fixture.AssertShedAsync("create_session", "max_sessions_per_secure_channel", before + 1);
    }

    public sealed class Fixture() : TightGateway(
        $"--Limits:MaxSessions={MaxSessions}", $"--Limits:MaxSessionsPerSecureChannel={MaxPerChannel}");
}
