using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Peers.Hostile;
using Gateway.Transport.Security;

namespace Gateway.Client.Tests.Sessions;

/// <summary>No session stays at a server whose activation fails, over a socket: a small controller has few.</summary>
public sealed class LeftSessionTests
{
    [Theory]
    [InlineData(ActivationScript.Answer.Refused, StatusCodes.BadIdentityTokenRejected)]
    [InlineData(ActivationScript.Answer.None, StatusCodes.BadTimeout)]
    public async Task Connect_ActivationFails_SessionClosed(object answer, uint expected)
    {
        await using var server = await HostileServer.StartAsync(new ActivationScript((ActivationScript.Answer)answer));
        using var client = Client();

        var failure = await Assert.ThrowsAsync<ServiceException>(
            async () => await client.ConnectAsync(Settings(server)));

        Assert.Equal(expected, failure.Status.Code);
        Assert.Null(failure.Left);
        Assert.Equal(1, server.Services.Count<CloseSessionRequest>());
    }

    /// <summary>The answer is lost with the connection: the session is closed on the next one.</summary>
    [Fact]
    public async Task Connect_ActivationUnansweredAndConnectionLost_LeftAndClosedAfterwards()
    {
        await using var server = await HostileServer.StartAsync(
            new ActivationScript(ActivationScript.Answer.ConnectionLost));
        using var client = Client();
        var failure = await Assert.ThrowsAsync<ServiceException>(
            async () => await client.ConnectAsync(Settings(server)));
        Assert.NotNull(failure.Left);
        Assert.Equal(0, server.Services.Count<CloseSessionRequest>());

        await client.LeaveAsync(failure.Left, Settings(server));

        Assert.Equal(1, server.Services.Count<CloseSessionRequest>());
        Assert.Equal(1, server.Services.Count<CreateSessionRequest>());
        Assert.Equal(2, server.Services.Activations.Count);
    }

    [Fact]
    public async Task Leave_ServerHasForgottenIt_Nothing()
    {
        await using var server = await HostileServer.StartAsync(
            new ActivationScript(ActivationScript.Answer.ConnectionLost, ActivationScript.Answer.Refused));
        using var client = Client();
        var failure = await Assert.ThrowsAsync<ServiceException>(
            async () => await client.ConnectAsync(Settings(server)));

        await client.LeaveAsync(failure.Left!, Settings(server));
        await client.LeaveAsync(failure.Left!, Settings(server));

        Assert.Equal(2, server.Services.Activations.Count);
    }

    /// <summary>The session of a lost connection is closed without a new one.</summary>
    [Fact]
    public async Task Leave_ConnectionLost_ActivatedAgainAndClosed()
    {
        await using var server = await HostileServer.StartAsync(new HostileScript());
        using var client = Client();
        var session = await client.ConnectAsync(Settings(server));
        session.Abort();
        await session.Closed;

        await client.LeaveAsync(session, Settings(server));

        Assert.Equal(1, server.Services.Count<CloseSessionRequest>());
        Assert.Equal(1, server.Services.Count<CreateSessionRequest>());
    }

    private static ConnectSettings Settings(HostileServer server) => new()
    {
        EndpointUrl = server.Url,
        SecurityPolicyUri = SecurityPolicies.None.Uri,
    };

    private static UaClient Client() => new(new ClientOptions { RequestTimeout = TimeSpan.FromSeconds(3) });
}
