using System.Text;
using System.Text.Json;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Plain;
using Gateway.Testing;
using Gateway.Tests.Sockets;

namespace Gateway.Tests.Rest;

/// <summary>The permission matrix of events (R36): through each door, each user gets the events and alarms of the
/// sources that he may have, and learns nothing of the others.</summary>
public sealed class EventRightsTests(EventRightsFixture fixture) : IClassFixture<EventRightsFixture>, IDisposable
{
    private const string RefreshEnd = "refresh of conditions has ended";
    private const uint ConditionRefresh = 3875;
    private const uint SetSubscriptionDurable = 12749;

    private static readonly NodeId Server = new(StandardIds.Objects.Server);

    private readonly UaClient _client = new(new ClientOptions { ConnectTimeout = Patience.Limit });

    private RestGateway Gateway => fixture.Gateway;

    public void Dispose() => _client.Dispose();

    /// <summary>User, door, and how many of the sources he may have.</summary>
    public static TheoryData<string, string, int> Matrix
    {
        get
        {
            var matrix = new TheoryData<string, string, int>();
            foreach (var door in new[] { "session", "durable", "alarms", "stream", "socket" })
            {
                matrix.Add("observer", door, 1);
                matrix.Add("operator", door, 2);
                matrix.Add("engineer", door, 3);
            }

            // The publisher is any Observer.
            matrix.Add("publisher", "pubsub", 1);
            return matrix;
        }
    }

    [Theory]
    [MemberData(nameof(Matrix))]
    public async Task Events_EachDoor_BringsThoseOfSourcesThatTheUserMayHave(string user, string door, int sources)
    {
        var told = door switch
        {
            "session" => await OverSessionAsync(user, isDurable: false),
            "durable" => await OverSessionAsync(user, isDurable: true),
            "alarms" => await OverAlarmsAsync(user),
            "stream" => await OverStreamAsync(user),
            "socket" => await OverSocketAsync(user),
            _ => await OverPubSubAsync(),
        };
        var (hasEvents, hasAlarms) = (door != "alarms", door != "pubsub");
        for (var i = 0; i < EventRightsFixture.Sources.Length; i++)
        {
            var name = EventRightsFixture.Sources[i];
            if (hasEvents)
                Assert.Equal(i < sources, told.Contains(name + "-event", StringComparison.Ordinal));
            if (hasAlarms)
                Assert.Equal(i < sources, told.Contains(name + "-alarm", StringComparison.Ordinal));
            if (i >= sources)
                Assert.DoesNotContain(name, told, StringComparison.Ordinal);
        }

        // Nobody is told that something is kept from him.
        Assert.DoesNotContain("Overflow", told, StringComparison.Ordinal);
    }

    /// <summary>The hidden notifier itself is one that is not there.</summary>
    [Theory]
    [InlineData("observer", "told-operators")]
    [InlineData("observer", "told-engineers")]
    [InlineData("operator", "told-engineers")]
    public async Task Notifier_Hidden_IsAnsweredAsOneThatIsNotThere(string user, string name)
    {
        await using var session = await ConnectAsync(user);
        var subscription = await SubscribeAsync(session);
        Assert.Equal(StatusCodes.BadNodeIdUnknown, (await WatchAsync(session, subscription, new(name, 2))).Code);
        using var answer = await ClientOf(user).GetAsync(
            "/api/v1/events?source=" + Uri.EscapeDataString("ns=2;s=" + name));
        Assert.Equal(404, (int)answer.StatusCode);
        using var socket = await LiveClient.OpenAsync(Gateway, ClientOf(user));
        var refused = await socket.AskAsync($$"""{"op":"subscribeEvents","source":"ns=2;s={{name}}"}""");
        Assert.Equal("BadNodeIdUnknown", refused.GetProperty("statusCode").GetString());
    }

    /// <summary>The matrix would see it.</summary>
    [Fact]
    public async Task Alarm_Hidden_CannotBeAnswered()
    {
        var (_, json) = await RestGateway.GetAsync(Gateway.Engineer, "/api/v1/alarms?limit=1000");
        var alarm = json.GetProperty("active").EnumerateArray().First(
            static one => one.GetProperty("name").GetString() == "told-engineers");
        var body = JsonSerializer.Serialize(new
        {
            alarm = alarm.GetProperty("alarm").GetString(),
            eventId = alarm.GetProperty("eventId").GetString(),
        });
        Assert.Equal(404, (await RestGateway.SendAsync(
            Gateway.Operator, HttpMethod.Post, "/api/v1/alarms/comment", body)).Status);
        Assert.Equal(200, (await RestGateway.SendAsync(
            Gateway.Engineer, HttpMethod.Post, "/api/v1/alarms/comment", body)).Status);
    }

    private HttpClient ClientOf(string user) => user switch
    {
        "observer" => Gateway.Observer,
        "operator" => Gateway.Operator,
        _ => Gateway.Engineer,
    };

    /// <summary>A refresh first, and then what happens.</summary>
    private async Task<string> OverSessionAsync(string user, bool isDurable)
    {
        await using var session = await ConnectAsync(user);
        var subscription = await SubscribeAsync(session);
        if (isDurable)
            await CallAsync(session, Server, SetSubscriptionDurable, new Variant(subscription), new Variant(1u));
        Assert.Equal(StatusCode.Good, await WatchAsync(session, subscription, Server));
        await CallAsync(
            session, new NodeId(StandardIds.ObjectTypes.ConditionType), ConditionRefresh, new Variant(subscription));
        fixture.Raise();
        var told = new StringBuilder();
        while (!IsWhole(told.ToString(), RefreshEnd))
        {
            var answer = await session.InvokeAsync<PublishRequest, PublishResponse>(
                new PublishRequest(), Patience.Limit);
            foreach (var data in answer.NotificationMessage.NotificationData ?? [])
            {
                foreach (var one in (data.Body as EventNotificationList)?.Events ?? [])
                    told.AppendJoin('\n', one.EventFields!.Select(static field => field.ToString())).AppendLine();
            }
        }

        return told.ToString();
    }

    /// <summary>As the console shows them.</summary>
    private async Task<string> OverAlarmsAsync(string user)
    {
        var (status, json) = await RestGateway.GetAsync(ClientOf(user), "/api/v1/alarms?limit=1000");
        Assert.Equal(200, status);
        return json.GetRawText();
    }

    private async Task<string> OverStreamAsync(string user)
    {
        using var stream = await EventReader.OpenEventsAsync(ClientOf(user), "interval=50&alarms=active");
        fixture.Raise();
        var told = "";
        while (!IsWhole(told, "\"refresh\":\"end\""))
            told += (await stream.NextAsync()).Json.GetRawText();
        return told;
    }

    private async Task<string> OverSocketAsync(string user)
    {
        using var socket = await LiveClient.OpenAsync(Gateway, ClientOf(user));
        await socket.AskAsync("""{"op":"subscribeEvents","alarms":"active","interval":50}""");
        fixture.Raise();
        var told = "";
        while (!IsWhole(told, "\"refresh\":\"end\""))
            told += (await socket.NextAsync()).GetRawText();
        return told;
    }

    /// <summary>The texts stand in the datagrams as they are. The group may begin to watch behind the first round.
    /// </summary>
    private async Task<string> OverPubSubAsync()
    {
        var told = "";
        using var end = new CancellationTokenSource(Patience.Limit);
        var next = fixture.Datagrams.ReceiveAsync(end.Token).AsTask();
        while (!told.Contains(EventRightsFixture.Marker, StringComparison.Ordinal))
        {
            if (!next.IsCompleted)
                fixture.Raise();
            told += Encoding.Latin1.GetString((await next).Buffer);
            next = fixture.Datagrams.ReceiveAsync(end.Token).AsTask();
        }

        await end.CancelAsync();
        return told;
    }

    private static bool IsWhole(string told, string refreshEnd) =>
        told.Contains(EventRightsFixture.Marker, StringComparison.Ordinal) &&
        told.Contains(refreshEnd, StringComparison.Ordinal);

    private async Task<ClientSession> ConnectAsync(string user) => await _client.ConnectAsync(new ConnectSettings
    {
        EndpointUrl = new UriBuilder(Gateway.Host.Client.BaseAddress!) { Scheme = "opc.ws", Path = "/opcua" }
            .Uri.ToString(),
        SecurityPolicyUri = "http://opcfoundation.org/UA/SecurityPolicy#None",
        SecurityMode = MessageSecurityMode.None,
        Identity = ClientIdentity.UserName(user, "horse"),
        AllowInsecureCredentials = true,
    });

    private static async Task<uint> SubscribeAsync(ClientSession session) =>
        (await session.InvokeAsync<CreateSubscriptionRequest, CreateSubscriptionResponse>(
            new CreateSubscriptionRequest
            {
                RequestedPublishingInterval = 50,
                RequestedLifetimeCount = 10_000,
                RequestedMaxKeepAliveCount = 100,
                PublishingEnabled = true,
            })).SubscriptionId;

    private static async Task<StatusCode> WatchAsync(ClientSession session, uint subscription, NodeId notifier) =>
        (await session.InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(
            new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscription,
                ItemsToCreate =
                [
                    new MonitoredItemCreateRequest
                    {
                        ItemToMonitor = new ReadValueId
                        {
                            NodeId = notifier,
                            AttributeId = (uint)AttributeId.EventNotifier,
                        },
                        MonitoringMode = MonitoringMode.Reporting,
                        RequestedParameters = new MonitoringParameters
                        {
                            QueueSize = 1_000,
                            Filter = new ExtensionObject(new EventFilter
                            {
                                SelectClauses = [PlainFields.Of("message"), PlainFields.Of("sourceName")],
                            }),
                        },
                    },
                ],
            })).Results![0].StatusCode;

    private static async Task CallAsync(ClientSession session, NodeId on, uint method, params Variant[] inputs)
    {
        var response = await session.InvokeAsync<CallRequest, CallResponse>(new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest { ObjectId = on, MethodId = new NodeId(method), InputArguments = inputs },
            ],
        });
        Assert.Equal(StatusCode.Good, response.Results![0].StatusCode);
    }
}
