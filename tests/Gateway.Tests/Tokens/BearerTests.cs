using System.Net;
using System.Net.Http.Headers;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Host.Tokens;
using Gateway.Publish;
using Gateway.Server.Users;
using Gateway.Testing;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Tokens;

/// <summary>Tokens at the HTTP door of a whole gateway.</summary>
public sealed class BearerTests : IDisposable
{
    private const string Value = "/api/v1/values?node=ns%3D2%3Bs%3DInt16";

    private readonly TokenIssuer _issuer = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("tokens-").FullName;

    private static DateTimeOffset Now => TimeProvider.System.GetUtcNow();

    public void Dispose()
    {
        _issuer.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Bearer_RightToken_RolesOfTheToken()
    {
        await using var gateway = await StartAsync();
        using var watcher = ClientOf(gateway, _issuer.Sign(Now));
        using var worker = ClientOf(gateway, _issuer.Sign(Now, roles: "plant:operate"));

        var (read, _) = await RestGateway.GetAsync(watcher, Value);
        var (_, refused) = await WriteAsync(watcher);
        var (_, written) = await WriteAsync(worker);

        Assert.Equal(200, read);
        Assert.Equal("BadUserAccessDenied", StatusOf(refused));
        Assert.Equal("Good", StatusOf(written));
    }

    [Fact]
    public async Task Documents_TokensAreTaken_DescribeThemAndTheirRefusals()
    {
        await using var gateway = await StartAsync();
        await using var without = await RestGateway.StartAsync();

        var (_, document) = await RestGateway.GetAsync(gateway.Observer, "/api/v1/openapi.json");
        var (_, other) = await RestGateway.GetAsync(without.Observer, "/api/v1/openapi.json");

        Assert.Equal(
            "bearer", document.GetProperty("components").GetProperty("securitySchemes").GetProperty("bearer")
                .GetProperty("scheme").GetString());
        Assert.True(document.GetProperty("paths").GetProperty("/values").GetProperty("get").GetProperty("responses")
            .GetProperty("403").GetProperty("content").GetProperty("application/problem+json").GetProperty("examples")
            .TryGetProperty("BadUserAccessDenied", out _));
        Assert.False(other.GetProperty("components").GetProperty("securitySchemes").TryGetProperty("bearer", out _));
    }

    [Fact]
    public async Task Bearer_NoToken_BothWaysOffered()
    {
        await using var gateway = await StartAsync();
        await using var without = await RestGateway.StartAsync();
        using var client = ClientOf(gateway, null);
        using var other = ClientOf(without, _issuer.Sign(Now));

        using var asked = await client.GetAsync(Value);
        using var refused = await other.GetAsync(Value);

        Assert.Equal(["Basic", "Bearer"], asked.Headers.WwwAuthenticate.Select(one => one.Scheme));
        Assert.Equal(HttpStatusCode.Unauthorized, refused.StatusCode);
        Assert.Equal("Basic", Assert.Single(refused.Headers.WwwAuthenticate).Scheme);
    }

    [Fact]
    public async Task Bearer_WrongToken_ReasonInHeaderProblemCounterAndDecisions()
    {
        await using var gateway = await StartAsync();
        var cases = new Dictionary<TokenFault, (int Status, string Token)>
        {
            [TokenFault.Expired] = (401, _issuer.Sign(Now, seconds: -60)),
            [TokenFault.NotYetValid] = (401, _issuer.Sign(Now, notBefore: 120)),
            [TokenFault.Issuer] = (401, _issuer.Sign(Now, issuer: "x")),
            [TokenFault.Audience] = (401, _issuer.Sign(Now, audience: "x")),
            [TokenFault.Algorithm] = (401, _issuer.Confuse(_issuer.Sign(Now))),
            [TokenFault.TooLarge] = (401, new string('x', 9_000)),
            [TokenFault.Malformed] = (401, "x"),
            [TokenFault.NoRole] = (403, _issuer.Sign(Now, roles: "nothing")),
        };
        foreach (var (fault, (status, token)) in cases)
        {
            using var client = ClientOf(gateway, token);
            using var answer = await client.GetAsync(Value);

            Assert.Equal(status, (int)answer.StatusCode);
            var challenge = Assert.Single(answer.Headers.WwwAuthenticate);
            var problem = await RestGateway.JsonOf(answer);
            var sentence = problem.GetProperty("detail").GetString()!;
            Assert.Contains($"error_description=\"{sentence}\"", challenge.Parameter, StringComparison.Ordinal);
            Assert.Equal(1, gateway.Host.Get<TokenCounters>().Refused(fault));
        }

        Assert.Equal(
            cases.Count,
            gateway.Host.Get<AdmissionControl>().Stages.Shedded(AdmissionStage.Http, RefusalReason.CredentialsRefused));
        var (_, decisions) = await RestGateway.GetAsync(gateway.Observer, "/api/v1/admission/decisions");
        Assert.Contains("Expired", decisions.GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>A client that goes on with an expired token is slowed down; a right one passes all the same.</summary>
    [Fact]
    public async Task Bearer_SameWrongTokenAgainAndAgain_429ButOthersPass()
    {
        await using var gateway = await StartAsync(
            "--Limits:MaxFailedLogins=2", "--Limits:FailedLoginInterval=00:10:00");
        using var stale = ClientOf(gateway, _issuer.Sign(Now, seconds: -60));
        using var right = ClientOf(gateway, _issuer.Sign(Now));
        for (var i = 0; i < 2; i++)
            (await stale.GetAsync(Value)).Dispose();

        using var slowed = await stale.GetAsync(Value);
        using var passed = await right.GetAsync(Value);

        Assert.Equal(HttpStatusCode.TooManyRequests, slowed.StatusCode);
        Assert.NotNull(slowed.Headers.RetryAfter);
        Assert.Equal(HttpStatusCode.OK, passed.StatusCode);
    }

    /// <summary>Many tokens from one address use up what the address may try; those known there pass on.</summary>
    [Fact]
    public async Task Bearer_ManyWrongTokensOfAnAddress_Slowed()
    {
        await using var gateway = await StartAsync(
            "--Limits:MaxFailedLogins=2", "--Limits:FailedLoginInterval=00:10:00");
        using var known = ClientOf(gateway, _issuer.Sign(Now));
        (await known.GetAsync(Value)).Dispose();
        var last = HttpStatusCode.OK;
        for (var i = 0; i < 40; i++)
        {
            using var client = ClientOf(gateway, $"junk{i}");
            using var answer = await client.GetAsync(Value);
            last = answer.StatusCode;
        }

        using var passed = await known.GetAsync(Value);

        Assert.Equal(HttpStatusCode.TooManyRequests, last);
        Assert.Equal(HttpStatusCode.OK, passed.StatusCode);
    }

    [Fact]
    public async Task Bearer_MaxTokenBytesSmaller_Refused()
    {
        await using var gateway = await StartAsync("--Limits:MaxTokenBytes=100");
        using var client = ClientOf(gateway, _issuer.Sign(Now));

        using var answer = await client.GetAsync(Value);

        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
        Assert.Equal(1, gateway.Host.Get<TokenCounters>().Refused(TokenFault.TooLarge));
    }

    [Fact]
    public async Task KeysFile_Rotated_NewKeyTakenOldOneNot_BrokenFileChangesNothing()
    {
        await using var gateway = await StartAsync();
        var before = _issuer.Sign(Now);
        using var old = ClientOf(gateway, before);
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(old));
        var counters = gateway.Host.Get<TokenCounters>();

        await File.WriteAllTextAsync(KeysPath, "{ half of a fi");
        await UntilAsync(() => counters.KeysFailures == 1);
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(old));
        _issuer.Rotate();
        await File.WriteAllTextAsync(KeysPath, _issuer.Pem);
        using var fresh = ClientOf(gateway, _issuer.Sign(Now));
        var status = HttpStatusCode.Unauthorized;
        await UntilAsync(async () => (status = await StatusAsync(fresh)) is HttpStatusCode.OK);

        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Equal(HttpStatusCode.Unauthorized, await StatusAsync(old));
    }

    [Fact]
    public async Task KeysUrl_NotThereYet_503ThenServed()
    {
        await using var server = await KeyServer.StartAsync();
        server.Status = 404;
        await using var gateway = await RestGateway.StartAsync(
            [.. TokenIssuer.Options($"--Jwt:KeysUrl={server.Url}"), "--Limits:TokenKeysMinInterval=00:00:00.010"]);
        using var client = ClientOf(gateway, _issuer.Sign(Now));

        using (var early = await client.GetAsync(Value))
        {
            Assert.Equal(HttpStatusCode.ServiceUnavailable, early.StatusCode);
            Assert.NotNull(early.Headers.RetryAfter);
        }

        (server.Status, server.Body) = (200, _issuer.Jwks);
        await UntilAsync(async () => await StatusAsync(client) is HttpStatusCode.OK);
        Assert.True(server.Asked > 1);
    }

    /// <summary>The stream says in its last event why it ends.</summary>
    [Fact]
    public async Task Stream_TokenExpires_LastEventSaysSo()
    {
        var time = new JumpyTime();
        await using var gateway = await StartAsync(time);
        using var client = new HttpClient { BaseAddress = gateway.Client.BaseAddress };
        client.DefaultRequestHeaders.Authorization =
            new AuthenticationHeaderValue("Bearer", _issuer.Sign(time.GetUtcNow(), seconds: 600));
        using var stream = await EventReader.OpenAsync(client, "interval=3600000", ["ns=2;s=Int32"]);
        await stream.NextAsync();
        Assert.Equal(1, gateway.Get<PublishEngine>().Counters.Streams);

        time.FireLongTimers();

        var lines = new List<string>();
        while (await stream.LineAsync() is { } line)
            lines.Add(line);
        Assert.Equal("event: end", lines[^3]);
        using var last = JsonDocument.Parse(lines[^2]["data: ".Length..]);
        Assert.Equal("BadIdentityTokenRejected", last.RootElement.GetProperty("statusCode").GetString());
    }

    /// <summary>The close says why.</summary>
    /// <summary>A browser that names nothing else takes no other answer. Part 6 §7.5.2, RFC 6455 §4.1.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task WebSocket_TokenInTheSubProtocolOfTheStandard_OneThatTheClientNamedIsAgreed(bool namesPlainToo)
    {
        await using var gateway = await StartAsync();
        using var socket = new ClientWebSocket();
        var withToken = "opcua+openapi+" + _issuer.Sign(Now);
        socket.Options.AddSubProtocol(withToken);
        if (namesPlainToo)
            socket.Options.AddSubProtocol("opcua+openapi");

        await socket.ConnectAsync(
            new UriBuilder(gateway.Host.Client.BaseAddress!) { Scheme = "ws", Path = "/opcua" }.Uri,
            CancellationToken.None);

        Assert.Equal(namesPlainToo ? "opcua+openapi" : withToken, socket.SubProtocol);
        await socket.SendAsync(
            """{"ServiceId":"i=629","Body":{"NodesToRead":[{"NodeId":"i=2258","AttributeId":13}]}}"""u8.ToArray(),
            WebSocketMessageType.Text, true, CancellationToken.None);
        var buffer = new byte[4096];
        var received = await socket.ReceiveAsync(buffer, CancellationToken.None).WaitAsync(Patience.Limit);
        Assert.StartsWith("""{"ServiceId":"i=632",""", Encoding.UTF8.GetString(buffer.AsSpan(0, received.Count)));
    }

    [Fact]
    public async Task WebSocket_TokenExpires_ClosedWithItsReason()
    {
        await using var gateway = await StartAsync();
        using var socket = new ClientWebSocket();
        // It ends within the permitted difference of clocks.
        var seconds = 3 - (int)JwtValidator.ClockSkew.TotalSeconds;
        socket.Options.SetRequestHeader("Authorization", "Bearer " + _issuer.Sign(Now, seconds, notBefore: -60));
        var url = new UriBuilder(gateway.Host.Client.BaseAddress!) { Scheme = "ws", Path = "/api/v1/ws" };
        await socket.ConnectAsync(url.Uri, CancellationToken.None).WaitAsync(Patience.Limit);

        WebSocketReceiveResult received;
        do
            received = await socket.ReceiveAsync(new byte[4096], CancellationToken.None).WaitAsync(Patience.Limit);
        while (received.MessageType != WebSocketMessageType.Close);

        Assert.Equal(WebSocketCloseStatus.PolicyViolation, received.CloseStatus);
        Assert.Equal("the token has expired", received.CloseStatusDescription);
    }

    private string KeysPath => Path.Combine(_folder, "keys.json");

    private async Task<RestGateway> StartAsync(params string[] options)
    {
        await File.WriteAllTextAsync(KeysPath, _issuer.Jwks);
        return await RestGateway.StartAsync([.. TokenIssuer.Options($"--Jwt:KeysPath={KeysPath}"), .. options]);
    }

    private async Task<RunningGateway> StartAsync(TimeProvider time)
    {
        await File.WriteAllTextAsync(KeysPath, _issuer.Jwks);
        return await RunningGateway.StartAsync(
            time, static _ => { }, TokenIssuer.Options($"--Jwt:KeysPath={KeysPath}"));
    }

    private static HttpClient ClientOf(RestGateway gateway, string? token)
    {
        var client = new HttpClient { BaseAddress = gateway.Host.Client.BaseAddress };
        if (token is not null)
            client.DefaultRequestHeaders.TryAddWithoutValidation("Authorization", "Bearer " + token);
        else
            client.DefaultRequestHeaders.Host = "rebound.example";
        return client;
    }

    private static Task<(int Status, JsonElement Json)> WriteAsync(HttpClient client) => RestGateway.SendAsync(
        client, HttpMethod.Put, "/api/v1/values", """{"values":[{"node":"ns=2;s=Int16","value":7}]}""");

    private static string? StatusOf(JsonElement answer) =>
        answer.GetProperty("results")[0].GetProperty("status").GetString();

    private static async Task<HttpStatusCode> StatusAsync(HttpClient client)
    {
        using var answer = await client.GetAsync(Value);
        return answer.StatusCode;
    }

    private static Task UntilAsync(Func<bool> holds) => UntilAsync(() => Task.FromResult(holds()));

    private static async Task UntilAsync(Func<Task<bool>> holds)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        while (!await holds())
            await look.WaitForNextTickAsync(patience.Token);
    }

    /// <summary>The system's time, whose timers of some minutes fire when a test says so.</summary>
    private sealed class JumpyTime : TimeProvider
    {
        private static readonly TimeSpan Long = TimeSpan.FromMinutes(9);

        private readonly List<(TimerCallback Callback, object? State)> _long = [];

        public void FireLongTimers()
        {
            (TimerCallback Callback, object? State)[] all;
            lock (_long)
                all = [.. _long];
            foreach (var (callback, state) in all)
                callback(state);
        }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            // Once, after about the token's life: not the daily looks of other parts.
            if (period == Timeout.InfiniteTimeSpan && dueTime > Long && dueTime < 2 * Long)
            {
                lock (_long)
                    _long.Add((callback, state));
            }

            return System.CreateTimer(callback, state, dueTime, period);
        }
    }
}
