using System.Security.Cryptography;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Services;

public sealed class CreateSessionTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    public static TheoryData<string> Policies => [.. SecurityPolicies.All.Select(policy => policy.Name)];

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData("None")]
    [InlineData("Basic256Sha256")]
    [InlineData("Aes256_Sha256_RsaPss")]
    public async Task CreateSession_OfferedPolicy_SignsCertificateAndNonce(string name)
    {
        Assert.True(SecurityPolicies.TryGetByName(name, out var policy));
        var client = _fixture.Connect(policy);
        var request = client.NewSession();
        var response = await client.CreateSessionAsync(request);

        Assert.Equal(32, response.ServerNonce!.Length);
        Assert.Contains(response.ServerNonce, b => b != 0);
        Assert.False(response.SessionId.IsNull);
        // Without a certificate nothing but the token says whose request it is.
        Assert.Equal(policy.IsNone ? IdType.Opaque : IdType.Guid, response.AuthenticationToken.IdType);
        Assert.Equal(60_000, response.RevisedSessionTimeout);
        Assert.Equal(TestCertificates.Server.Der, response.ServerCertificate);
        Assert.Equal((uint)_fixture.Options.Limits.MaxRequestMessageSizeBytes, response.MaxRequestMessageSize);
        if (policy.IsNone)
        {
            Assert.Null(response.ServerSignature.Signature);
            return;
        }

        byte[] signed = [.. request.ClientCertificate!, .. request.ClientNonce!];
        Assert.Equal(policy.SignatureAlgorithmUri, response.ServerSignature.Algorithm);
        Assert.True(policy.VerifyAsymmetric(TestCertificates.Server.Der, signed, response.ServerSignature.Signature!));
    }

    /// <summary>Part 4 §5.7.2.2: the leaf alone; a signature over more of what the peer chooses is an oracle.</summary>
    [Fact]
    public async Task CreateSession_ClientSendsItsChain_LeafAndNonceAreSignedAndNoMore()
    {
        var policy = SecurityPolicies.Basic256Sha256;
        var client = _fixture.Connect(policy);
        var leaf = TestCertificates.Client.Der;
        byte[] chain = [.. leaf, .. TestCertificates.OtherClient.Der, .. new byte[100]];
        var request = new CreateSessionRequest
        {
            ClientDescription = new ApplicationDescription { ApplicationUri = "urn:test:client" },
            ClientNonce = RandomNumberGenerator.GetBytes(32),
            ClientCertificate = chain,
        };
        var response = await client.CreateSessionAsync(request);

        var signature = response.ServerSignature.Signature!;
        Assert.True(policy.VerifyAsymmetric(
            TestCertificates.Server.Der, [.. leaf, .. request.ClientNonce], signature));
        Assert.False(policy.VerifyAsymmetric(
            TestCertificates.Server.Der, [.. chain, .. request.ClientNonce], signature));
        Assert.Equal(leaf, Assert.Single(_fixture.Certificates.Blobs));
    }

    [Fact]
    public async Task CreateSession_Always_ListsTheEndpointsOfGetEndpoints()
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        var endpoints = await client.CallAsync<GetEndpointsResponse>(
            new GetEndpointsRequest { EndpointUrl = "opc.tcp://here:4840" });
        var session = await client.CreateSessionAsync();

        Assert.Equal(5, endpoints.Endpoints!.Length);
        Assert.Equal(
            endpoints.Endpoints.Select(Describe), session.ServerEndpoints!.Select(Describe));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    public async Task CreateSession_WithoutAName_ItIsMadeUp(string? name)
    {
        _fixture.Users.Users["root"] = Roles.Engineer | Roles.SecurityAdmin;
        for (var i = 0; i < 2; i++)
        {
            var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
            var request = client.NewSession();
            await client.CreateSessionAsync(new CreateSessionRequest
            {
                ClientDescription = request.ClientDescription,
                ClientNonce = request.ClientNonce,
                ClientCertificate = request.ClientCertificate,
                SessionName = name,
            });
        }

        var admin = await _fixture.ConnectAsync("root", SecurityPolicies.Basic256Sha256);
        var read = await admin.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = new NodeId(3707), AttributeId = (uint)AttributeId.Value }],
        });
        var names = read.Results![0].Value.AsArray<ExtensionObject>()!
            .Select(one => ((SessionDiagnosticsDataType)one.Body!).SessionName).ToList();
        Assert.All(names, one => Assert.False(string.IsNullOrEmpty(one)));
        Assert.Equal(names.Count, names.Distinct().Count());
    }

    [Fact]
    public async Task CreateSession_Twice_DifferentTokensAndNonces()
    {
        var client = _fixture.Connect();
        var first = await client.CreateSessionAsync();
        var second = await client.CreateSessionAsync();
        Assert.NotEqual(first.AuthenticationToken, second.AuthenticationToken);
        Assert.NotEqual(first.SessionId, second.SessionId);
        Assert.NotEqual(first.ServerNonce, second.ServerNonce);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(31)]
    [InlineData(129)]
    public async Task CreateSession_NonceOfWrongLength_BadNonceInvalid(int length)
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        Assert.Equal(StatusCodes.BadNonceInvalid, await WithNonceAsync(client, RandomNumberGenerator.GetBytes(length)));
    }

    [Fact]
    public async Task CreateSession_NoOrZeroNonce_BadNonceInvalid()
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        Assert.Equal(StatusCodes.BadNonceInvalid, await WithNonceAsync(client, null));
        Assert.Equal(StatusCodes.BadNonceInvalid, await WithNonceAsync(client, new byte[32]));
    }

    [Fact]
    public async Task CreateSession_CertificateOfAnother_BadSecurityChecksFailed()
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        var request = client.NewSession();
        var forged = new CreateSessionRequest
        {
            ClientNonce = request.ClientNonce,
            ClientCertificate = TestCertificates.OtherClient.Der,
        };
        Assert.Equal(StatusCodes.BadSecurityChecksFailed, await client.FaultAsync(forged));
        var missing = new CreateSessionRequest { ClientNonce = request.ClientNonce };
        Assert.Equal(StatusCodes.BadSecurityChecksFailed, await client.FaultAsync(missing));
        Assert.Equal(0, _fixture.Server.SessionCount);
    }

    [Fact]
    public async Task CreateSession_ApplicationUriNotInCertificate_OnlyBadSecurityChecksFailed()
    {
        _fixture.Certificates.Refusal = StatusCodes.BadCertificateUriInvalid;
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        Assert.Equal(StatusCodes.BadSecurityChecksFailed, await client.FaultAsync(client.NewSession()));
        Assert.Equal("urn:test:client", _fixture.Certificates.ApplicationUris.Single());
    }

    [Fact]
    public async Task CreateSession_ForeignServerUri_BadServerUriInvalid()
    {
        var client = _fixture.Connect();
        Assert.Equal(
            StatusCodes.BadServerUriInvalid,
            await client.FaultAsync(new CreateSessionRequest { ServerUri = "urn:somebody:else" }));
    }

    [Theory]
    [InlineData(0, 120_000)]
    [InlineData(-1, 120_000)]
    [InlineData(double.NaN, 120_000)]
    [InlineData(1, 10_000)]
    [InlineData(1e300, 3_600_000)]
    [InlineData(double.PositiveInfinity, 3_600_000)]
    [InlineData(33_000, 33_000)]
    public async Task CreateSession_Timeout_IsRevised(double requested, double revised)
    {
        var client = _fixture.Connect();
        var response = await client.CreateSessionAsync(
            new CreateSessionRequest { RequestedSessionTimeout = requested });
        Assert.Equal(revised, response.RevisedSessionTimeout);
    }

    [Fact]
    public async Task CreateSession_EverythingNull_IsServed()
    {
        var client = _fixture.Connect();
        var response = await client.CreateSessionAsync(new CreateSessionRequest());
        Assert.False(response.AuthenticationToken.IsNull);
    }

    [Fact]
    public async Task CreateSession_NoneNotOffered_BadSecurityPolicyRejected()
    {
        using var fixture = new ServerFixture(
            options => options with { Security = new SecurityOffer { Policies = [SecurityPolicies.Basic256Sha256] } });
        var client = fixture.Connect();
        Assert.Equal(StatusCodes.BadSecurityPolicyRejected, await client.FaultAsync(client.NewSession()));
        var endpoints = await client.CallAsync<GetEndpointsResponse>(new GetEndpointsRequest());
        Assert.Equal(2, endpoints.Endpoints!.Length);
    }

    [Fact]
    public async Task CreateSession_ShuttingDown_BadShutdown()
    {
        _fixture.Server.BeginShutdown(TimeSpan.FromSeconds(5));
        var client = _fixture.Connect();
        Assert.Equal(StatusCodes.BadShutdown, await client.FaultAsync(client.NewSession()));
    }

    [Fact]
    public async Task CreateSession_AtTheCap_RecyclesTheOldestUnactivated()
    {
        using var fixture = Limited(limits => limits with { MaxSessions = 3 });
        var active = await fixture.ConnectAsync();
        var oldest = fixture.Connect();
        await oldest.CreateSessionAsync();
        var newer = fixture.Connect();
        await newer.CreateSessionAsync();
        var latest = fixture.Connect();
        await latest.CreateSessionAsync();

        Assert.Equal(3, fixture.Server.SessionCount);
        Assert.Equal(1, fixture.Server.Counters.SessionsRecycled);
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await oldest.FaultAsync(oldest.NewActivation()));
        await newer.ActivateAsync();
        await latest.ActivateAsync();
        Assert.Equal(StatusCodes.BadNothingToDo, await active.FaultAsync(new ReadRequest()));
    }

    [Fact]
    public async Task CreateSession_AllActive_BadTooManySessions()
    {
        using var fixture = Limited(limits => limits with { MaxSessions = 1 });
        var active = await fixture.ConnectAsync();
        var late = fixture.Connect();
        Assert.Equal(StatusCodes.BadTooManySessions, await late.FaultAsync(late.NewSession()));
        await active.CallAsync<CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = true });
        await late.CreateSessionAsync();
        Assert.Equal(1, fixture.Server.SessionCount);
    }

    [Fact]
    public async Task CreateSession_TooManyOnOneChannel_BadTooManySessions()
    {
        using var fixture = Limited(limits => limits with { MaxSessionsPerSecureChannel = 2 });
        var client = fixture.Connect();
        await client.CreateSessionAsync();
        await client.CreateSessionAsync();
        Assert.Equal(StatusCodes.BadTooManySessions, await client.FaultAsync(client.NewSession()));
        Assert.Equal(2, fixture.Server.SessionCount);
    }

    [Fact]
    public async Task CreateSession_TooManyFromOneAddress_BadTooManySessions()
    {
        using var fixture = Limited(limits => limits with { MaxSessionsPerAddress = 1 });
        var client = fixture.Connect();
        await client.CreateSessionAsync();
        Assert.Equal(StatusCodes.BadTooManySessions, await client.FaultAsync(client.NewSession()));
        await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest());
        await client.CreateSessionAsync();
        Assert.Equal(1, fixture.Server.SessionCount);
    }

    private static ServerFixture Limited(Func<ServerLimits, ServerLimits> limit) =>
        new(options => options with { Limits = limit(options.Limits) });

    private static Task<StatusCode> WithNonceAsync(TestClient client, byte[]? nonce) =>
        client.FaultAsync(new CreateSessionRequest
        {
            ClientNonce = nonce,
            ClientCertificate = TestCertificates.Client.Der,
        });

    private static string Describe(EndpointDescription endpoint) => string.Join(
        '|', endpoint.EndpointUrl, endpoint.SecurityMode, endpoint.SecurityPolicyUri, endpoint.SecurityLevel,
        string.Join(',', endpoint.UserIdentityTokens!.Select(token => token.PolicyId)));
}
