using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Services;

/// <summary>R13: which check of CreateSession or ActivateSession failed does not show in the time of the answer.
/// </summary>
public sealed class HeldFailureTests : IDisposable
{
    private readonly ServerFixture _fixture = new(holdsFailures: true);

    public static TheoryData<string> Kinds =>
        [
            "nonce", "zeros", "certificate", "uri", "server", "session", "signature", "token", "password",
            "unknown user",
        ];

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Failure_OfAnyKind_AnsweredAtTheSameMoment(string kind)
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        await client.CreateSessionAsync();
        var id = client.Send(Request(client, kind));
        var answer = client.FaultAsync(id);

        // Passwords are looked at on other threads, which a test cannot step.
        while (_fixture.Failures.Held == 0)
            await Task.Yield();
        _fixture.Time.Advance(9.9);
        Assert.False(client.Link.IsAnswered(id));
        _fixture.Time.Advance(1.1);
        Assert.True((await answer).IsBad);
        Assert.Equal(0, _fixture.Failures.Held);
    }

    [Fact]
    public async Task Success_Always_AnsweredAtOnce()
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        await client.CreateSessionAsync();
        await client.ActivateAsync("operator");

        Assert.Equal(0, _fixture.Failures.Held);
    }

    /// <summary>R46: one channel that fails on and on does not fill the place that all share.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Failure_MoreThanAFewOfOneChannelAtATime_TheRestIsRefusedUnseen(bool createsSessions)
    {
        var (flooder, other) = (_fixture.Connect(), _fixture.Connect());
        await other.CreateSessionAsync();
        flooder.Token = new NodeId(Guid.NewGuid(), 0);
        uint last = 0;
        for (var i = 0; i < 20; i++)
            last = flooder.Send(
                createsSessions ? new CreateSessionRequest { ServerUri = "urn:x" } : flooder.NewActivation());

        Assert.Equal(8, _fixture.Failures.Held);
        var refusal = await flooder.RefusalAsync(last);
        Assert.Equal(StatusCodes.BadServerTooBusy, refusal.Status.Code);
        Assert.True(refusal.RetryAfterMs > 0);
        var held = other.Send(Request(other, "token"));
        Assert.False(other.Link.IsAnswered(held));
        _fixture.Time.Advance(11);
        Assert.True(other.Link.IsAnswered(held));
        Assert.Equal(
            createsSessions ? StatusCodes.BadServerUriInvalid : StatusCodes.BadSessionIdInvalid,
            (await FaultOfNextAsync()).Code);

        Task<StatusCode> FaultOfNextAsync()
        {
            var next = flooder.Send(
                createsSessions ? new CreateSessionRequest { ServerUri = "urn:x" } : flooder.NewActivation());
            _fixture.Time.Advance(11);
            return flooder.FaultAsync(next);
        }
    }

    private IServiceRequest Request(TestClient client, string kind)
    {
        switch (kind)
        {
            case "nonce":
                return new CreateSessionRequest { ClientCertificate = TestCertificates.Client.Der };
            case "zeros":
                return new CreateSessionRequest
                {
                    ClientCertificate = TestCertificates.Client.Der,
                    ClientNonce = new byte[32],
                };
            case "server":
                return new CreateSessionRequest { ServerUri = "urn:x" };
            case "certificate":
                return new CreateSessionRequest
                {
                    ClientCertificate = TestCertificates.OtherClient.Der,
                    ClientNonce = Enumerable.Repeat((byte)7, 32).ToArray(),
                };
            case "uri":
                _fixture.Certificates.Refusal = StatusCodes.BadCertificateUriInvalid;
                return client.NewSession();
            case "session":
                client.Token = new NodeId(Guid.NewGuid(), 0);
                return client.NewActivation();
            case "signature":
                return new ActivateSessionRequest();
            case "token":
                return new ActivateSessionRequest
                {
                    ClientSignature = client.Sign(),
                    UserIdentityToken = new ExtensionObject(new AnonymousIdentityToken { PolicyId = "unknown" }),
                };
            default:
                return client.NewActivation(kind == "password" ? "operator" : "somebody", "wrong");
        }
    }
}
