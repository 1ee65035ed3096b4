using System.Text.Json;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server;
using Gateway.Testing;
using Gateway.Tests.Rest;
using Gateway.Tests.Services;
using Gateway.Transport.Hosting;

namespace Gateway.Tests.Management;

/// <summary>Who is there, and the end of one.</summary>
[Collection(RestFixture.Name)]
public sealed class ClientTests(RestFixture fixture)
{
    private const string Hostile = "<script>\u001b[31m\u202Ealert(1)\r\nAudit: fake\"</script>";

    private readonly RestGateway _gateway = fixture.Gateway;

    private string Url =>
        string.Create(null, $"opc.tcp://127.0.0.1:{_gateway.Host.Get<UaTcpOptions>().EndPoint.Port}");

    [Fact]
    public async Task Session_OverUaTcp_ListedWithItsConnectionAndSubscription()
    {
        using var client = new UaClient(new ClientOptions { ApplicationUri = "urn:test:listed" });
        await using var session = await ConnectAsync(client, "listed");
        var subscription = await SubscribeAsync(session);

        var id = session.SessionId.Guid.ToString();
        var (status, listed) = await RestGateway.GetAsync(_gateway.SecurityAdmin, "/api/v1/sessions/" + id);
        Assert.Equal(200, status);
        Assert.Equal("listed", listed.GetProperty("name").GetString());
        Assert.Equal("urn:test:listed", listed.GetProperty("applicationUri").GetString());
        Assert.Equal("active", listed.GetProperty("state").GetString());
        Assert.Equal("opc.tcp", listed.GetProperty("door").GetString());
        Assert.Equal("anonymous", listed.GetProperty("user").GetString());
        Assert.Equal(1, listed.GetProperty("subscriptions").GetInt32());
        Assert.Equal(1, listed.GetProperty("monitoredItems").GetInt32());

        var channel = listed.GetProperty("channelId").GetUInt32();
        var connection = (await AllAsync("connections"))
            .Single(one => one.TryGetProperty("channelId", out var of) && of.GetUInt32() == channel);
        Assert.Equal("open", connection.GetProperty("state").GetString());
        Assert.Equal(1, connection.GetProperty("sessions").GetInt32());

        var (_, mine) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/subscriptions/" + subscription);
        Assert.Equal(id, mine.GetProperty("sessionId").GetString());
        Assert.Equal(1000, mine.GetProperty("publishingIntervalMs").GetDouble());
    }

    [Fact]
    public async Task Session_EndedWhilePublishing_ClientGetsBadSessionClosed()
    {
        using var client = new UaClient(new ClientOptions());
        var session = await ConnectAsync(client, "publishing");
        await SubscribeAsync(session);
        // The second one waits: there is nothing more to send than the first values.
        await session.InvokeAsync<PublishRequest, PublishResponse>(new PublishRequest());
        var held = session.InvokeAsync<PublishRequest, PublishResponse>(new PublishRequest(), Patience.Limit).AsTask();
        await HeldAsync(session);
        var before = _gateway.Host.Get<GatewayServer>().Counters.SessionsEnded;

        using var answer = await _gateway.Engineer.DeleteAsync(
            new Uri($"/api/v1/sessions/ns=1;g={session.SessionId.Guid}", UriKind.Relative));

        Assert.Equal(204, (int)answer.StatusCode);
        var ended = await Assert.ThrowsAsync<ServiceException>(() => held.WaitAsync(Patience.Limit));
        Assert.Equal(StatusCodes.BadSessionClosed, ended.Status.Code);
        var later = await Assert.ThrowsAsync<ServiceException>(() => SubscribeAsync(session));
        Assert.Equal(StatusCodes.BadSessionIdInvalid, later.Status.Code);
        Assert.Equal(before + 1, _gateway.Host.Get<GatewayServer>().Counters.SessionsEnded);
        session.Abort();
    }

    [Fact]
    public async Task Connection_Ended_ClientGetsBadSecureChannelClosedAndItIsCounted()
    {
        using var client = new UaClient(new ClientOptions());
        var session = await ConnectAsync(client, "connected");
        var (_, listed) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/sessions/" + session.SessionId.Guid);
        var channel = listed.GetProperty("channelId").GetUInt32();
        var id = (await AllAsync("connections"))
            .Single(one => one.TryGetProperty("channelId", out var of) && of.GetUInt32() == channel)
            .GetProperty("id").GetString();
        var counters = _gateway.Host.Get<TransportContext>().Counters;
        var before = counters.Closes(ChannelCloseReason.EndedByOperator);

        using var answer = await _gateway.Engineer.DeleteAsync(
            new Uri("/api/v1/connections/" + id, UriKind.Relative));

        Assert.Equal(204, (int)answer.StatusCode);
        var reason = await session.Closed.WaitAsync(Patience.Limit);
        Assert.Equal(StatusCodes.BadSecureChannelClosed, reason.Code);
        using var again = await _gateway.Engineer.DeleteAsync(
            new Uri("/api/v1/connections/" + id, UriKind.Relative));
        Assert.Equal(404, (int)again.StatusCode);
        // The client knows of the end a moment earlier.
        using var patience = new CancellationTokenSource(Patience.Limit);
        while (counters.Closes(ChannelCloseReason.EndedByOperator) == before)
        {
            patience.Token.ThrowIfCancellationRequested();
            await AllAsync("connections");
        }

        Assert.Equal(before + 1, counters.Closes(ChannelCloseReason.EndedByOperator));
    }

    [Fact]
    public async Task HttpConnection_Listed_AndEnded()
    {
        using var peer = await _gateway.Host.ConnectAsync();
        await Http.RunningGateway.SendAsync(peer, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await Http.RunningGateway.ReadAsync(peer, "live");
        var mine = (await AllAsync("connections")).Last(one => one.GetProperty("door").GetString() == "http" &&
            one.GetProperty("state").GetString() == "idle").GetProperty("id").GetString();

        using var answer = await _gateway.Engineer.DeleteAsync(
            new Uri("/api/v1/connections/" + mine, UriKind.Relative));

        Assert.Equal(204, (int)answer.StatusCode);
    }

    [Fact]
    public async Task Stream_OfHttp_IsASubscription()
    {
        using var stream = await _gateway.Operator.GetAsync(
            new Uri(RestGateway.Query("/api/v1/stream", RestGateway.Int16), UriKind.Relative),
            HttpCompletionOption.ResponseHeadersRead);

        var streams = (await AllAsync("subscriptions")).Where(one => one.GetProperty("kind").GetString() == "stream");

        Assert.Contains(streams, one => one.GetProperty("user").GetString() == "operator" &&
            one.GetProperty("monitoredItems").GetInt32() == 1);
    }

    /// <summary>It stays data: in a terminal, in a log, in a page.</summary>
    [Fact]
    public async Task Session_HostileName_EscapedAndData()
    {
        using var client = new UaClient(new ClientOptions { ApplicationName = Hostile });
        await using var session = await ConnectAsync(client, Hostile);

        using var answer = await _gateway.Observer.GetAsync(
            new Uri("/api/v1/sessions/" + session.SessionId.Guid, UriKind.Relative));
        var text = await answer.Content.ReadAsStringAsync();

        Assert.Equal("application/json", answer.Content.Headers.ContentType?.MediaType);
        Assert.Equal("nosniff", Assert.Single(answer.Headers.GetValues("X-Content-Type-Options")));
        Assert.DoesNotContain('\u001b', text);
        Assert.DoesNotContain('\u202E', text);
        Assert.DoesNotContain('\n', text);
        using var json = JsonDocument.Parse(text);
        Assert.StartsWith(
            "<script>\\u001B[31m\\u202Ealert(1)\\u000D\\u000A", json.RootElement.GetProperty("name").GetString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Sessions_PageByPageWhileOthersComeAndGo_EachThatStaysOnce()
    {
        var (stable, others) = (new List<ServiceSession>(), new Queue<ServiceSession>());
        for (var i = 0; i < 12; i++)
        {
            others.Enqueue(await ServiceSession.OpenAsync(_gateway.Operator));
            stable.Add(await ServiceSession.OpenAsync(_gateway.Operator));
        }

        var ids = new List<string>();
        for (string? cursor = ""; cursor is not null;)
        {
            var (_, page) = await RestGateway.GetAsync(
                _gateway.Observer, $"/api/v1/sessions?limit=3&fields=id&cursor={cursor}");
            Assert.InRange(page.GetProperty("sessions").GetArrayLength(), 0, 3);
            ids.AddRange(page.GetProperty("sessions").EnumerateArray()
                .Select(one => one.GetProperty("id").GetString()!));
            cursor = page.TryGetProperty("next", out var next) ? next.GetString() : null;
            if (others.TryDequeue(out var gone))
                await gone.CallAsync("closesession");
            if (ids.Count < 60)
                others.Enqueue(await ServiceSession.OpenAsync(_gateway.Operator));
        }

        Assert.Equal(ids.Count, ids.Distinct().Count());
        Assert.True(ids.Count >= stable.Count);
        foreach (var session in stable.Concat(others))
            await session.CallAsync("closesession");
    }

    /// <summary>In every list, by words of any of its texts; those that are left out of the answer, too.</summary>
    [Fact]
    public async Task Lists_Searched_FindAllThatFitAndSendTheFirst()
    {
        using var client = new UaClient(new ClientOptions { ApplicationUri = "urn:test:Searched" });
        await using var first = await ConnectAsync(client, "needle one");
        await using var second = await ConnectAsync(client, "needle two");
        await SubscribeAsync(first);

        var (_, one) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/sessions?q=SEARCHED+needle&limit=1&fields=id");
        var (_, two) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/sessions?q=two+needle");
        var (_, watching) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/subscriptions?q=urn:test:searched");
        var (_, none) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/connections?q=needle");

        Assert.Equal((1, 2), (one.GetProperty("sessions").GetArrayLength(), one.GetProperty("found").GetInt32()));
        Assert.False(one.TryGetProperty("next", out _));
        Assert.Equal(1, two.GetProperty("found").GetInt32());
        Assert.Equal(
            second.SessionId.Guid.ToString(), two.GetProperty("sessions")[0].GetProperty("id").GetString());
        Assert.Equal(1, watching.GetProperty("found").GetInt32());
        Assert.Equal((0, 0), (none.GetProperty("connections").GetArrayLength(), none.GetProperty("found").GetInt32()));
    }

    [Fact]
    public async Task Clients_ByApplication_SumTheirSessions()
    {
        using var client = new UaClient(new ClientOptions { ApplicationUri = "urn:test:together" });
        await using var first = await ConnectAsync(client, "first");
        await using var second = await ConnectAsync(client, "second");
        await SubscribeAsync(first);
        await SubscribeAsync(second);

        // Others may have asked a moment ago: then the answer is of that time.
        using var patience = new CancellationTokenSource(Patience.Limit);
        JsonElement[] mine;
        do
        {
            patience.Token.ThrowIfCancellationRequested();
            var (status, page) = await RestGateway.GetAsync(
                _gateway.Observer, "/api/v1/clients?by=application&q=urn:test:together");
            Assert.Equal(200, status);
            mine = [.. page.GetProperty("clients").EnumerateArray()];
        }
        while (mine.Length == 0);

        var together = Assert.Single(mine);
        Assert.Equal("urn:test:together", together.GetProperty("key").GetString());
        Assert.Equal(2, together.GetProperty("sessions").GetInt32());
        Assert.Equal(2, together.GetProperty("monitoredItems").GetInt32());
    }

    [Theory]
    [InlineData("/api/v1/sessions?fields=token", "fields: expected some of id,name,applicationName")]
    [InlineData("/api/v1/sessions?limit=0", "limit: expected")]
    [InlineData("/api/v1/sessions?cursor=x", "cursor: expected")]
    [InlineData("/api/v1/sessions?cursor=99999999999", "cursor: expected")]
    [InlineData("/api/v1/connections?cursor=tcp-", "cursor: expected")]
    [InlineData("/api/v1/connections?cursor=ftp-1", "cursor: expected")]
    [InlineData("/api/v1/connections?cursor=http--1", "cursor: expected")]
    [InlineData("/api/v1/subscriptions?cursor=-1", "cursor: expected")]
    [InlineData("/api/v1/sessions?q=a&cursor=1", "cursor: expected")]
    [InlineData("/api/v1/sessions?q=1+2+3+4+5+6+7+8+9+10+11+12+13+14+15+16", "q: expected")]
    [InlineData("/api/v1/clients?by=address&cursor=x", "cursor: expected")]
    [InlineData("/api/v1/clients?by=colour", "by: expected")]
    public async Task List_BadQuery_ProblemSaysWhatWasExpected(string path, string detail)
    {
        var (status, problem) = await RestGateway.GetAsync(_gateway.Observer, path);

        Assert.Equal(400, status);
        Assert.StartsWith(detail, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("tcp-1")]
    [InlineData("tcp-99999999999999999999-0")]
    [InlineData("tcp-1--5")]
    [InlineData("udp-1-1")]
    [InlineData("%07")]
    public async Task Connection_NoSuchId_NotFound(string id)
    {
        var (status, problem) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/connections/" + id);

        Assert.Equal((404, "BadSecureChannelIdInvalid"), (status, problem.GetProperty("statusCode").GetString()));
    }

    private async Task<ClientSession> ConnectAsync(UaClient client, string name) => await client.ConnectAsync(
        new ConnectSettings
        {
            EndpointUrl = Url,
            SecurityPolicyUri = Transport.Security.SecurityPolicies.None.Uri,
            SecurityMode = MessageSecurityMode.None,
            SessionName = name,
        });

    /// <summary>Until the gateway holds the session's Publish.</summary>
    private async Task HeldAsync(ClientSession session)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        JsonElement listed;
        do
        {
            await look.WaitForNextTickAsync(patience.Token);
            (_, listed) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/sessions/" + session.SessionId.Guid);
        }
        while (listed.GetProperty("publishRequests").GetInt32() == 0);
    }

    private static async Task<uint> SubscribeAsync(ClientSession session)
    {
        var subscription = await session.InvokeAsync<CreateSubscriptionRequest, CreateSubscriptionResponse>(
            new CreateSubscriptionRequest
            {
                RequestedPublishingInterval = 1000,
                RequestedLifetimeCount = 10_000,
                RequestedMaxKeepAliveCount = 3_000,
                PublishingEnabled = true,
            });
        await session.InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(
            new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscription.SubscriptionId,
                ItemsToCreate =
                [
                    new MonitoredItemCreateRequest
                    {
                        ItemToMonitor = new ReadValueId
                        {
                            NodeId = new NodeId("ReadOnly", 2), AttributeId = (uint)AttributeId.Value,
                        },
                        MonitoringMode = MonitoringMode.Reporting,
                    },
                ],
            });
        return subscription.SubscriptionId;
    }

    private async Task<List<JsonElement>> AllAsync(string list)
    {
        var all = new List<JsonElement>();
        for (string? cursor = ""; cursor is not null;)
        {
            var (status, page) = await RestGateway.GetAsync(
                _gateway.SecurityAdmin, $"/api/v1/{list}?limit=50&cursor={cursor}");
            Assert.Equal(200, status);
            all.AddRange(page.GetProperty(list).EnumerateArray());
            cursor = page.TryGetProperty("next", out var next) ? next.GetString() : null;
        }

        return all;
    }
}
