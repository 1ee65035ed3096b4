using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Services;

public sealed class ActivateSessionTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData("Basic256Sha256")]
    [InlineData("Aes256_Sha256_RsaPss")]
    public async Task ActivateSession_Signed_IsActiveWithANewNonce(string name)
    {
        Assert.True(SecurityPolicies.TryGetByName(name, out var policy));
        var client = _fixture.Connect(policy);
        var created = await client.CreateSessionAsync();
        Assert.False(client.Link.HasActiveSession);
        var activated = await client.ActivateAsync("operator");

        Assert.Equal(32, activated.ServerNonce!.Length);
        Assert.NotEqual(created.ServerNonce, activated.ServerNonce);
        Assert.True(client.Link.HasActiveSession);
        var context = _fixture.Users.Contexts.Single();
        Assert.Equal(created.ServerNonce, context.ServerNonce);
        Assert.Same(policy, context.SecurityPolicy);
    }

    [Fact]
    public async Task ActivateSession_PasswordOverNone_IsProtectedByBasic256Sha256()
    {
        await _fixture.ConnectAsync("operator");
        var context = _fixture.Users.Contexts.Single();
        Assert.Same(SecurityPolicies.Basic256Sha256, context.SecurityPolicy);
        Assert.Equal(SecurityPolicies.Basic256Sha256.Uri, context.Policy.SecurityPolicyUri);
    }

    [Fact]
    public async Task ActivateSession_BadOrMissingSignature_BadApplicationSignatureInvalid()
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        await client.CreateSessionAsync();
        var signature = client.Sign();
        signature.Signature![5] ^= 1;
        foreach (var bad in new[] { signature, default, client.Sign() with { Algorithm = "http://other" } })
            Assert.Equal(
                StatusCodes.BadApplicationSignatureInvalid,
                await client.FaultAsync(new ActivateSessionRequest { ClientSignature = bad }));
        Assert.Empty(_fixture.Users.Contexts);
        await client.ActivateAsync();
    }

    [Fact]
    public async Task ActivateSession_Replayed_BadApplicationSignatureInvalid()
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        await client.CreateSessionAsync();
        var request = client.NewActivation();
        await client.CallAsync<ActivateSessionResponse>(request);
        Assert.Equal(StatusCodes.BadApplicationSignatureInvalid, await client.FaultAsync(request));
    }

    [Fact]
    public async Task ActivateSession_TwoAtOnceWithOneNonce_OnlyOneWins()
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        await client.CreateSessionAsync();
        _fixture.Users.Gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var first = client.Send(client.NewActivation());
        var second = client.Send(client.NewActivation());
        Assert.False(client.Link.IsAnswered(first));
        _fixture.Users.Gate.SetResult();

        var answers = new[]
        {
            (await client.AnswerAsync<ActivateSessionResponse>(first)).Status,
            (await client.AnswerAsync<ActivateSessionResponse>(second)).Status,
        };
        Assert.Single(answers, status => status.IsGood);
        Assert.Single(answers, status => status == StatusCodes.BadNonceInvalid);
    }

    [Fact]
    public async Task ActivateSession_UnknownToken_BadSessionIdInvalid()
    {
        var client = _fixture.Connect();
        foreach (var token in new[] { NodeId.Null, new NodeId(Guid.NewGuid(), 0), new NodeId("x", 0), new NodeId(1) })
        {
            client.Token = token;
            Assert.Equal(StatusCodes.BadSessionIdInvalid, await client.FaultAsync(client.NewActivation()));
        }
    }

    [Fact]
    public async Task ActivateSession_NullToken_IsAnonymous()
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        await client.CallAsync<ActivateSessionResponse>(new ActivateSessionRequest());
        Assert.IsType<AnonymousIdentityToken>(_fixture.Users.Contexts.Single().Token);
    }

    [Fact]
    public async Task ActivateSession_TokenNotOffered_BadIdentityTokenInvalid()
    {
        using var fixture = new ServerFixture(options => options with { OfferAnonymous = false });
        var client = fixture.Connect();
        await client.CreateSessionAsync();
        Assert.Equal(StatusCodes.BadIdentityTokenInvalid, await client.FaultAsync(client.NewActivation()));
        var unknown = new ActivateSessionRequest
        {
            UserIdentityToken = new ExtensionObject(new UserNameIdentityToken { PolicyId = "nonsense" }),
        };
        Assert.Equal(StatusCodes.BadIdentityTokenInvalid, await client.FaultAsync(unknown));
        var noToken = new ActivateSessionRequest
        {
            UserIdentityToken = new ExtensionObject(new Codec.Structures.Range()),
        };
        Assert.Equal(StatusCodes.BadIdentityTokenInvalid, await client.FaultAsync(noToken));
        Assert.Empty(fixture.Users.Contexts);
    }

    [Fact]
    public async Task ActivateSession_WrongPasswordTooOften_ClosesTheSession()
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        for (var i = 0; i < _fixture.Options.Limits.MaxFailedActivations; i++)
            Assert.Equal(
                StatusCodes.BadUserAccessDenied, await client.FaultAsync(client.NewActivation("operator", "guess")));
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await client.FaultAsync(client.NewActivation("operator")));
        Assert.Equal(0, _fixture.Server.SessionCount);
    }

    [Fact]
    public async Task ActivateSession_FirstOnAnotherChannel_BadSecureChannelIdInvalid()
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        var other = _fixture.Connect();
        other.TakeOver(client);
        Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, await other.FaultAsync(other.NewActivation()));
        await client.ActivateAsync();
    }

    [Fact]
    public async Task ActivateSession_NewUserOnTheSameSession_ChangesPermissions()
    {
        var client = await _fixture.ConnectAsync("operator");
        Assert.True((await WriteAsync(client)).IsGood);
        await client.ActivateAsync("observer");
        Assert.Equal(StatusCodes.BadUserAccessDenied, await WriteAsync(client));
        Assert.Equal(1, _fixture.Server.SessionCount);
    }

    [Fact]
    public async Task ActivateSession_NewUserWithWrongPassword_OldUserStays()
    {
        var client = await _fixture.ConnectAsync("operator");
        Assert.Equal(
            StatusCodes.BadUserAccessDenied, await client.FaultAsync(client.NewActivation("engineer", "guess")));
        Assert.True((await WriteAsync(client)).IsGood);
    }

    [Fact]
    public async Task ActivateSession_SameClientAndUserOnAnotherChannel_Moves()
    {
        var first = await SecureAsync("operator");
        var second = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        second.TakeOver(first);
        await second.ActivateAsync("operator");

        Assert.True((await WriteAsync(second)).IsGood);
        Assert.True(second.Link.HasActiveSession);
        Assert.False(first.Link.HasActiveSession);
        Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, await first.FaultAsync(new ReadRequest()));
    }

    [Theory]
    [InlineData("other certificate")]
    [InlineData("other policy")]
    [InlineData("other mode")]
    [InlineData("other user")]
    [InlineData("no security")]
    public async Task ActivateSession_MoveByAnother_IsRefused(string difference)
    {
        var owner = await SecureAsync("operator");
        var thief = difference switch
        {
            "other certificate" => _fixture.Connect(
                SecurityPolicies.Basic256Sha256, certificate: TestCertificates.OtherClient),
            "other policy" => _fixture.Connect(SecurityPolicies.Aes256Sha256RsaPss),
            "other mode" => _fixture.Connect(SecurityPolicies.Basic256Sha256, MessageSecurityMode.Sign),
            "no security" => _fixture.Connect(),
            _ => _fixture.Connect(SecurityPolicies.Basic256Sha256),
        };
        thief.TakeOver(owner);
        var status = await thief.FaultAsync(thief.NewActivation(difference == "other user" ? "engineer" : "operator"));

        Assert.Equal(
            difference == "other user"
                ? StatusCodes.BadIdentityChangeNotSupported
                : StatusCodes.BadSecurityChecksFailed,
            status);
        Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, await thief.FaultAsync(new ReadRequest()));
        Assert.True((await WriteAsync(owner)).IsGood);
    }

    [Fact]
    public async Task ActivateSession_TooManySessionsOfOneUser_BadTooManySessions()
    {
        using var fixture = new ServerFixture(
            options => options with { Limits = options.Limits with { MaxSessionsPerUser = 1 } });
        var first = await fixture.ConnectAsync("operator");
        var second = fixture.Connect();
        await second.CreateSessionAsync();
        Assert.Equal(StatusCodes.BadTooManySessions, await second.FaultAsync(second.NewActivation("operator")));
        await second.ActivateAsync("engineer");
        await first.CallAsync<CloseSessionResponse>(new CloseSessionRequest());
        await fixture.ConnectAsync("operator");
        Assert.Equal(2, fixture.Server.SessionCount);
    }

    [Fact]
    public async Task ActivateSession_UserWithoutRoles_MayNothing()
    {
        var client = await _fixture.ConnectAsync("nobody");
        var read = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = TestPlant.Int32, AttributeId = (uint)AttributeId.Value }],
        });
        Assert.True(read.Results![0].Status.IsBad);
        Assert.Equal(Roles.None, _fixture.Users.Users["nobody"]);
    }

    private async Task<TestClient> SecureAsync(string user)
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        await client.CreateSessionAsync();
        await client.ActivateAsync(user);
        return client;
    }

    private static async Task<StatusCode> WriteAsync(TestClient client)
    {
        var response = await client.CallAsync<WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = TestPlant.Int32,
                    AttributeId = (uint)AttributeId.Value,
                    Value = new DataValue(new Variant(1)),
                },
            ],
        });
        return response.Results![0];
    }
}
