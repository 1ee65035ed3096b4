using System.Text;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Discovery;
using Gateway.Server.Tests.Messages;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Sessions;

/// <summary>A session whose user came with a token, when the token expires.</summary>
public sealed class ExpiredUserTests : IDisposable
{
    private readonly ServerFixture _fixture = new(options => options with
    {
        Tokens = new TokenAuthority("https://login.plant.example", "urn:plant:gateway"),
    });

    public ExpiredUserTests() => _fixture.Users.AnonymousRoles = Roles.Observer;

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task Session_TokenExpires_GoesOnAsAnonymous()
    {
        var client = await ConnectAsync("operator", TimeSpan.FromSeconds(30));
        Assert.Equal(StatusCode.Good, await WriteAsync(client));

        _fixture.Time.Advance(TimeSpan.FromSeconds(29));
        Assert.Equal(StatusCode.Good, await WriteAsync(client));
        _fixture.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(StatusCodes.BadUserAccessDenied, await WriteAsync(client));
        Assert.Equal(StatusCode.Good, await ReadAsync(client));
    }

    [Fact]
    public async Task Session_TokenExpiresAndNobodyMayBeAnonymous_Ends()
    {
        _fixture.Users.LetsInAnonymous = false;
        var client = await ConnectAsync("operator", TimeSpan.FromSeconds(30));

        _fixture.Time.Advance(TimeSpan.FromSeconds(31));

        Assert.Equal(0, _fixture.Server.SessionCount);
        Assert.Equal(
            StatusCodes.BadSessionIdInvalid,
            await client.FaultAsync(TestRequests.Read(1)));
    }

    [Fact]
    public async Task Session_RenewedBeforeItExpires_KeepsItsUser()
    {
        var client = await ConnectAsync("operator", TimeSpan.FromSeconds(30));
        _fixture.Time.Advance(TimeSpan.FromSeconds(25));
        await ActivateAsync(client, "operator", TimeSpan.FromSeconds(100));

        foreach (var seconds in new[] { 40, 50 })
        {
            _fixture.Time.Advance(TimeSpan.FromSeconds(seconds));
            Assert.Equal(StatusCode.Good, await WriteAsync(client));
        }

        _fixture.Time.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal(StatusCodes.BadUserAccessDenied, await WriteAsync(client));
    }

    /// <summary>Places of the user are given back, and those of the anonymous one taken.</summary>
    [Fact]
    public async Task Session_TokenExpires_CountsForItsNewUser()
    {
        var client = await ConnectAsync("operator", TimeSpan.FromSeconds(30));
        _fixture.Time.Advance(TimeSpan.FromSeconds(31));
        Assert.Equal(StatusCodes.BadUserAccessDenied, await WriteAsync(client));

        await ActivateAsync(client, "operator", TimeSpan.FromSeconds(30));

        Assert.Equal(StatusCode.Good, await WriteAsync(client));
        await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest());
        Assert.Equal(0, _fixture.Server.SessionCount);
    }

    /// <summary>The login of the request does not renew a token that came in ActivateSession, also where both are of
    /// the same user.</summary>
    [Theory]
    [InlineData("observer")]
    [InlineData("operator")]
    public async Task SessionOverHttp_TokenOfItsActivationExpires_GoesOnAsAnonymous(string login)
    {
        _fixture.Users.Ends["operator"] = _fixture.Time.GetTimestamp() + TimeSpan.FromSeconds(30).Ticks;
        var client = new MessageClient(_fixture, login);
        await client.CreateAsync();
        await client.CallAsync<ActivateSessionResponse>(new ActivateSessionRequest
        {
            UserIdentityToken = new ExtensionObject(new IssuedIdentityToken { TokenData = "operator"u8.ToArray() }),
        });
        Assert.Equal(StatusCode.Good, (await client.CallAsync<WriteResponse>(WriteOf(1))).Results![0]);

        _fixture.Time.Advance(TimeSpan.FromSeconds(31));

        Assert.Equal(
            StatusCodes.BadUserAccessDenied, (await client.CallAsync<WriteResponse>(WriteOf(2))).Results![0]);
    }

    /// <summary>The wall clock jumps; the session lives on by the other one (R28).</summary>
    [Fact]
    public async Task Session_WallClockJumps_NothingExpires()
    {
        var client = await ConnectAsync("operator", TimeSpan.FromSeconds(30));

        _fixture.Time.MoveWallClock(TimeSpan.FromDays(3650));
        _fixture.Time.Advance(TimeSpan.FromSeconds(15));

        Assert.Equal(StatusCode.Good, await WriteAsync(client));
    }

    [Fact]
    public async Task Token_OfNobody_Rejected()
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();

        Assert.Equal(StatusCodes.BadIdentityTokenRejected, await client.FaultAsync(Activation(client, "forged")));
    }

    [Fact]
    public async Task Endpoints_TokensAreConfigured_PolicyNamesTheirKindAndIssuer()
    {
        var client = _fixture.Connect();
        var session = await client.CreateSessionAsync();

        var policies = session.ServerEndpoints!.SelectMany(static one => one.UserIdentityTokens ?? [])
            .Where(static policy => policy.TokenType == UserTokenType.IssuedToken).ToList();

        Assert.NotEmpty(policies);
        Assert.All(policies, static policy =>
        {
            Assert.Equal("http://opcfoundation.org/UA/UserToken#JWT", policy.IssuedTokenType);
            Assert.Contains("\"ua:authorityUrl\":\"https://login.plant.example\"", policy.IssuerEndpointUrl!);
            Assert.Contains("\"ua:resourceId\":\"urn:plant:gateway\"", policy.IssuerEndpointUrl!);
            // Never in clear text, whatever the endpoint is.
            Assert.NotEqual("http://opcfoundation.org/UA/SecurityPolicy#None", policy.SecurityPolicyUri);
            Assert.False(string.IsNullOrEmpty(policy.SecurityPolicyUri));
        });
        Assert.Equal(
            policies.Select(static policy => policy.PolicyId).Distinct().Count(),
            policies.Select(static policy => policy.SecurityPolicyUri).Distinct().Count());
    }

    [Fact]
    public async Task Token_NotConfigured_NotOfferedAndInvalid()
    {
        using var fixture = new ServerFixture();
        var client = fixture.Connect();
        var session = await client.CreateSessionAsync();

        Assert.DoesNotContain(
            session.ServerEndpoints!.SelectMany(static one => one.UserIdentityTokens ?? []),
            static policy => policy.TokenType == UserTokenType.IssuedToken);
        Assert.Equal(StatusCodes.BadIdentityTokenInvalid, await client.FaultAsync(Activation(client, "operator")));
    }

    private async Task<TestClient> ConnectAsync(string user, TimeSpan life)
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        await ActivateAsync(client, user, life);
        return client;
    }

    private async Task ActivateAsync(TestClient client, string user, TimeSpan life)
    {
        _fixture.Users.Ends[user] = _fixture.Time.GetTimestamp() + life.Ticks;
        var response = await client.CallAsync<ActivateSessionResponse>(Activation(client, user));
        client.ServerNonce = response.ServerNonce!;
    }

    private static ActivateSessionRequest Activation(TestClient client, string token) => new()
    {
        ClientSignature = client.Sign(),
        UserIdentityToken = new ExtensionObject(new IssuedIdentityToken { TokenData = Encoding.UTF8.GetBytes(token) }),
    };

    private static async Task<StatusCode> WriteAsync(TestClient client) =>
        (await client.CallAsync<WriteResponse>(WriteOf(7))).Results![0];

    private static WriteRequest WriteOf(int value) => new()
    {
        NodesToWrite =
        [
            new WriteValue
            {
                NodeId = TestPlant.Int32,
                AttributeId = (uint)AttributeId.Value,
                Value = new DataValue(new Variant(value)),
            },
        ],
    };

    private static async Task<StatusCode> ReadAsync(TestClient client) =>
        (await client.CallAsync<ReadResponse>(TestRequests.Read(1, TestPlant.Int32))).Results![0].Status;
}
