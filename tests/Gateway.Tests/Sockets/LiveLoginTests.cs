using System.Buffers.Text;
using System.Text;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>Who a client of <c>/api/v1/ws</c> is, and which pages may open one.</summary>
[Collection(RestFixture.Name)]
public sealed class LiveLoginTests(RestFixture fixture)
{
    private const string Subscribe = """{"op":"subscribe","nodes":["ns=2;s=Int16"]}""";
    private const string Login = """{"op":"login","id":1,"user":"observer","password":"horse"}""";

    private RestGateway Gateway => fixture.Gateway;

    [Fact]
    public async Task Login_ByTheFirstMessage_NothingBeforeAllBehind()
    {
        using var client = await LiveClient.OpenStrangerAsync(Gateway);

        Assert.Equal(
            "BadUserAccessDenied", (await client.AskAsync(Subscribe)).GetProperty("statusCode").GetString());
        Assert.Equal(
            "BadIdentityTokenRejected",
            (await client.AskAsync(Login.Replace("horse", "cow", StringComparison.Ordinal)))
                .GetProperty("statusCode").GetString());
        Assert.Equal(
            "BadUserAccessDenied", (await client.AskAsync(Subscribe)).GetProperty("statusCode").GetString());
        Assert.Equal("""{"op":"loggedIn","id":1,"user":"observer"}""", (await client.AskAsync(Login)).GetRawText());
        Assert.Equal("subscribed", (await client.AskAsync(Subscribe)).GetProperty("op").GetString());
    }

    [Fact]
    public async Task Login_AsAnotherUser_RefusedAndTheFirstStays()
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);

        var error = await client.AskAsync("""{"op":"login","user":"operator","password":"horse"}""");

        Assert.Equal("BadIdentityChangeNotSupported", error.GetProperty("statusCode").GetString());
        var written = await client.AskAsync("""{"op":"write","values":[{"node":"ns=2;s=Int16","value":8}]}""");
        Assert.Equal("BadUserAccessDenied", written.GetProperty("results")[0].GetProperty("status").GetString());
        await client.AskAsync(Login);
        Assert.Equal("subscribed", (await client.AskAsync(Subscribe)).GetProperty("op").GetString());
    }

    /// <summary>A page cannot set the Authorization of a WebSocket. Its login is not sent back.</summary>
    [Fact]
    public async Task Handshake_LoginAmongTheSubProtocols_TheOtherOneIsAgreed()
    {
        using var client = await LiveClient.OpenStrangerAsync(Gateway, "gateway.v1", Basic("observer", "horse"));

        Assert.Equal("gateway.v1", client.Socket.SubProtocol);
        Assert.Equal("subscribed", (await client.AskAsync(Subscribe)).GetProperty("op").GetString());
    }

    [Theory]
    [InlineData("horse", 0)]
    [InlineData("cow", 401)]
    public async Task Handshake_OnlyALogin_NoSubProtocolIsAgreed(string password, int refused)
    {
        var login = Basic("operator", password);
        if (refused > 0)
        {
            Assert.Equal(refused, await LiveClient.RefusedAsync(Gateway, options => options.AddSubProtocol(login)));
            return;
        }

        using var client = await LiveClient.OpenAsync(Gateway, options =>
        {
            options.SetRequestHeader("Via", "a proxy");
            options.SetRequestHeader("Sec-WebSocket-Protocol", login);
        });
        Assert.Null(client.Socket.SubProtocol);
        Assert.Equal("subscribed", (await client.AskAsync(Subscribe)).GetProperty("op").GetString());
    }

    [Theory]
    [InlineData("basic.!!")]
    [InlineData("basic.")]
    [InlineData("bearer.x")]
    public async Task Handshake_LoginThatCannotBeRead_401(string protocol) => Assert.Equal(
        401, await LiveClient.RefusedAsync(Gateway, options => options.AddSubProtocol(protocol)));

    [Theory]
    [InlineData("http://evil.example", 403)]
    [InlineData("null", 403)]
    [InlineData("https://localhost.evil.example", 403)]
    [InlineData("http://127.0.0.1:1", 403)]
    public async Task Handshake_PageOfAnotherOrigin_403(string origin, int status) => Assert.Equal(
        status, await LiveClient.RefusedAsync(Gateway, options => options.SetRequestHeader("Origin", origin)));

    /// <summary>A foreign page must not use up the tries of the user at whose machine it is shown (R30).</summary>
    [Fact]
    public async Task Handshake_WrongLoginsOfAnotherOriginsPage_NotTriedAndNobodyIsSlowed()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:FailedLoginInterval=00:10:00");
        for (var i = 0; i < 8; i++)
        {
            Assert.Equal(403, await LiveClient.RefusedAsync(gateway, options =>
            {
                options.SetRequestHeader("Origin", "http://evil.example");
                options.AddSubProtocol(Basic("operator", "guess"));
            }));
        }

        using var answer = await gateway.Operator.GetAsync("/api/v1/values?node=ns%3D2%3Bs%3DInt16");

        Assert.Equal(200, (int)answer.StatusCode);
    }

    [Theory]
    [InlineData("http")]
    [InlineData("https")]
    public async Task Handshake_PageOfTheSameHost_Opens(string scheme)
    {
        var own = new UriBuilder(Gateway.Host.Client.BaseAddress!) { Scheme = scheme }.Uri
            .GetLeftPart(UriPartial.Authority);

        using var client = await LiveClient.OpenAsync(Gateway, options => options.SetRequestHeader("Origin", own));

        Assert.Equal("pong", (await client.AskAsync("""{"op":"ping"}""")).GetProperty("op").GetString());
    }

    [Fact]
    public async Task Get_WithoutAnUpgrade_426()
    {
        using var answer = await Gateway.Observer.GetAsync("/api/v1/ws");

        Assert.Equal(426, (int)answer.StatusCode);
        Assert.Equal("websocket", answer.Headers.Upgrade.ToString());
        Assert.Equal("Upgrade", answer.Headers.Connection.ToString());
        Assert.Equal("13", Assert.Single(answer.Headers.GetValues("Sec-WebSocket-Version")));
        Assert.Equal("BadNotSupported", (await RestGateway.JsonOf(answer)).GetProperty("statusCode").GetString());
    }

    private static string Basic(string user, string password) =>
        "basic." + Base64Url.EncodeToString(Encoding.UTF8.GetBytes($"{user}:{password}"));
}
