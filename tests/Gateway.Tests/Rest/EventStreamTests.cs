using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Model;
using Gateway.Publish;

namespace Gateway.Tests.Rest;

/// <summary>Events and alarms as Server-Sent Events: each test has a SourceName of its own, because all share a
/// gateway.</summary>
[Collection(RestFixture.Name)]
public sealed class EventStreamTests(RestFixture fixture)
{
    private static readonly RolePermissionType[] EngineerOnly =
    [
        new()
        {
            RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Engineer),
            Permissions = PermissionType.Browse | PermissionType.ReceiveEvents,
        },
    ];

    private readonly RestGateway _gateway = fixture.Gateway;
    private readonly PublishEngine _publishing = fixture.Gateway.Host.Get<PublishEngine>();
    private readonly NodeTable _nodes = fixture.Gateway.Host.Get<NodeTable>();

    [Fact]
    public async Task Events_FilterAndFields_BringWhatWasAskedFor()
    {
        using var stream = await OpenAsync("interval=50&minSeverity=500&fields=message,Severity,sourceName");
        Raise("fields", "small", 499);
        Raise("fields", "large", 500);
        var entry = await stream.EntryAsync(static one => IsOf(one, "fields"));
        Assert.Equal("""{"message":"large","severity":500,"sourceName":"fields"}""", entry.GetRawText());
        Assert.Equal(0, stream.Skipped);
    }

    [Fact]
    public async Task Events_WithoutAWish_HaveTheUsualFields()
    {
        using var stream = await OpenAsync("interval=50");
        Raise("usual", "words", 100);
        var entry = await stream.EntryAsync(static one => IsOf(one, "usual"));
        Assert.Equal(
            ["eventId", "eventType", "sourceNode", "sourceName", "time", "message", "severity"],
            entry.EnumerateObject().Select(static member => member.Name));
        Assert.Equal("i=2130", entry.GetProperty("eventType").GetString());
        Assert.Equal("i=2253", entry.GetProperty("sourceNode").GetString());
        Assert.Equal(EventMaker.EventIdBytes, entry.GetProperty("eventId").GetBytesFromBase64().Length);
    }

    /// <summary>By name and by id; another type does not pass.</summary>
    [Theory]
    [InlineData("DeviceFailureEventType")]
    [InlineData("i=2131")]
    [InlineData("AlarmConditionType,DeviceFailureEventType,i=2787")]
    public async Task Events_Types_LetTheirOwnPass(string type)
    {
        var name = "type " + type;
        using var stream = await OpenAsync("interval=50&minSeverity=1&type=" + Uri.EscapeDataString(type));
        Raise(name, "other", 900);
        Raise(name, "own", 900, StandardEvents.DeviceFailure);
        var entry = await stream.EntryAsync(one => IsOf(one, name));
        Assert.Equal("own", entry.GetProperty("message").GetString());
    }

    /// <summary>Its members go straight into an acknowledgement.</summary>
    [Fact]
    public async Task Alarms_Active_ComeFirstAndCanBeAcknowledged()
    {
        Report("first", isActive: true);
        Report("over", isActive: true);
        Answer("over");
        Report("over", isActive: false);

        using var stream = await OpenAsync("interval=50&alarms=active&type=AlarmConditionType");
        await stream.EntryAsync(static one => IsRefresh(one, "start"));
        var names = new List<string?>();
        JsonElement alarm = default;
        for (JsonElement entry; !IsRefresh(entry = await stream.EntryAsync(static _ => true), "end");)
        {
            names.Add(entry.GetProperty("conditionName").GetString());
            if (names[^1] == "first")
                alarm = entry;
        }

        Assert.Contains("first", names);
        Assert.DoesNotContain("over", names);
        Assert.True(alarm.GetProperty("active").GetBoolean());
        Assert.False(alarm.GetProperty("acknowledged").GetBoolean());
        Assert.True(alarm.GetProperty("retain").GetBoolean());
        var body = JsonSerializer.Serialize(new
        {
            alarm = alarm.GetProperty("alarm").GetString(),
            eventId = alarm.GetProperty("eventId").GetString(),
        });
        Assert.Equal(200, (await RestGateway.SendAsync(
            _gateway.Operator, HttpMethod.Post, "/api/v1/alarms/acknowledge", body)).Status);
        var acknowledged = await stream.EntryAsync(static one =>
            one.TryGetProperty("conditionName", out var name) && name.GetString() == "first");
        Assert.True(acknowledged.GetProperty("acknowledged").GetBoolean());
        Report("first", isActive: false);
    }

    /// <summary>As docs/rest.md keeps its list: an earlier state that is answered ends alone, the alarm stays active.
    /// </summary>
    [Fact]
    public async Task Alarms_BranchIsAnswered_EndsUnderItsOwnKey()
    {
        Report("twice", isActive: true);
        Report("twice", isActive: false);
        Report("twice", isActive: true);
        using var stream = await OpenAsync("interval=50&alarms=active&type=AlarmConditionType");
        JsonElement[] both =
        [
            await stream.EntryAsync(static one => IsTwice(one)), await stream.EntryAsync(static one => IsTwice(one)),
        ];
        var branch = Assert.Single(both, static one => one.TryGetProperty("branchId", out _));
        var present = Assert.Single(both, static one => !one.TryGetProperty("branchId", out _));
        Assert.Equal(present.GetProperty("alarm").GetString(), branch.GetProperty("alarm").GetString());
        var body = JsonSerializer.Serialize(new
        {
            alarm = branch.GetProperty("alarm").GetString(),
            eventId = branch.GetProperty("eventId").GetString(),
        });
        Assert.Equal(200, (await RestGateway.SendAsync(
            _gateway.Operator, HttpMethod.Post, "/api/v1/alarms/acknowledge", body)).Status);

        var over = await stream.EntryAsync(static one => IsTwice(one) && one.TryGetProperty("branchId", out _));
        Assert.Equal(branch.GetProperty("branchId").GetString(), over.GetProperty("branchId").GetString());
        Assert.False(over.GetProperty("retain").GetBoolean());
        Report("twice", isActive: false);

        static bool IsTwice(JsonElement one) =>
            one.TryGetProperty("conditionName", out var name) && name.GetString() == "twice";
    }

    [Fact]
    public async Task Events_ClientThatComesBack_GetsWhatItHasMissed()
    {
        const string query = "interval=50&fields=message,sourceName";
        string? id;
        using (var stream = await OpenAsync(query))
        {
            Raise("back", "one", 500);
            await stream.EntryAsync(static one => IsOf(one, "back"));
            id = stream.LastId;
            Raise("back", "two", 500);
            await stream.EntryAsync(static one => IsOf(one, "back"));
        }

        Raise("back", "three", 500);
        using var again = await EventReader.OpenEventsAsync(_gateway.Observer, query, id);
        Assert.Equal("two", MessageOf(await again.EntryAsync(static one => IsOf(one, "back"))));
        Assert.Equal("three", MessageOf(await again.EntryAsync(static one => IsOf(one, "back"))));
        Assert.Equal(0, again.Skipped);
        Assert.StartsWith(id!.Split('-')[0], again.LastId, StringComparison.Ordinal);
    }

    /// <summary>Another wish, or a stream that is gone: nobody knows how many events the client has missed.</summary>
    [Theory]
    [InlineData("interval=50&fields=message,sourceName&minSeverity=2")]
    [InlineData("interval=51&fields=message,sourceName")]
    [InlineData("interval=50&fields=message,sourceName,severity")]
    public async Task Events_ClientThatComesBackToSomethingElse_IsToldThatSomeAreLost(string other)
    {
        using var stream = await OpenAsync("interval=50&fields=message,sourceName");
        Raise(other, "one", 500);
        await stream.EntryAsync(one => IsOf(one, other));

        using var again = await EventReader.OpenEventsAsync(_gateway.Observer, other, stream.LastId);
        var (id, json) = await again.NextAsync();
        Assert.NotEqual(stream.LastId!.Split('-')[0], id.Split('-')[0]);
        Assert.Equal("""{"events":[],"skipped":1}""", json.GetRawText());
    }

    /// <summary>An event is encoded once for each filter.</summary>
    [Fact]
    public async Task Events_OfManyStreamsWithTheSameWish_AreOneFilter()
    {
        var before = _publishing.Events.FilterCount;
        var streams = new List<EventReader>();
        // In different ways to write the same.
        foreach (var fields in new[] { "message,sourceName,active", "Message,SourceName,ActiveState/Id" })
        {
            for (var i = 0; i < 5; i++)
                streams.Add(await OpenAsync("interval=50&minSeverity=777&fields=" + fields));
        }

        Assert.Equal(before + 1, _publishing.Events.FilterCount);
        Raise("shared", "words", 777);
        foreach (var stream in streams)
        {
            Assert.Equal("words", MessageOf(await stream.EntryAsync(static one => IsOf(one, "shared"))));
            stream.Dispose();
        }
    }

    [Theory]
    [InlineData("minSeverity=1001")]
    [InlineData("minSeverity=-1")]
    [InlineData("minSeverity=high")]
    [InlineData("interval=0")]
    [InlineData("fields=a//b")]
    [InlineData("alarms=all")]
    [InlineData("type=NoSuchType")]
    [InlineData("type=i%3D58")]
    [InlineData("type=%2FTypes%2FEventTypes")]
    [InlineData("source=Server")]
    [InlineData("source=ns%3D2%3Bs%3DInt16")]
    public async Task Events_BadRequest_IsAProblemThatSaysWhatWasExpected(string query)
    {
        var (status, json) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/events?" + query);
        Assert.Equal(400, status);
        Assert.Contains("expected", json.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Contains(query.Split('=')[0], json.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Events_TooManyFieldsOrTypes_AreRefused()
    {
        foreach (var (name, count) in new[] { ("fields", 201), ("type", 51) })
        {
            var list = string.Join(',', Enumerable.Range(0, count).Select(static i => $"i{i}"));
            var (status, json) = await RestGateway.GetAsync(_gateway.Observer, $"/api/v1/events?{name}={list}");
            Assert.Equal(400, status);
            Assert.Contains("at most", json.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }
    }

    /// <summary>A source that the user may not see is answered as one that is not there, and its events, also as
    /// alarms, reach only users with ReceiveEvents on it (R36).</summary>
    [Fact]
    public async Task Events_OfAHiddenSource_ReachOnlyThoseWhoMayHaveThem()
    {
        Add("Treasury");
        Report("of the treasury", isActive: true, new NodeId("Treasury", 2));
        using var observer = await OpenAsync("interval=50&alarms=active");
        using var engineer = await EventReader.OpenEventsAsync(_gateway.Engineer, "interval=50&alarms=active");
        await engineer.EntryAsync(static one => IsOf(one, "of the treasury"));
        Report("of the treasury", isActive: false, new NodeId("Treasury", 2));
        await engineer.EntryAsync(static one =>
            IsOf(one, "of the treasury") && !one.GetProperty("active").GetBoolean());
        Raise("for all", "words", 500);

        var seen = new List<string>();
        await observer.EntryAsync(one =>
        {
            seen.Add(one.GetRawText());
            return IsOf(one, "for all");
        });
        Assert.DoesNotContain(seen, static one => one.Contains("of the treasury", StringComparison.Ordinal));

        var (hiddenStatus, hidden) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/events?source=ns%3D2%3Bs%3DTreasury");
        var (unknownStatus, unknown) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/events?source=ns%3D2%3Bs%3DNowhere");
        Assert.Equal(404, unknownStatus);
        Assert.Equal((unknownStatus, unknown.GetRawText()), (hiddenStatus, hidden.GetRawText()));
        using var allowed = await EventReader.OpenEventsAsync(_gateway.Engineer, "source=ns%3D2%3Bs%3DTreasury");
    }

    /// <summary>The history of the stream holds what the user may not have any more (R16).</summary>
    [Fact]
    public async Task Events_RightIsGoneWhenTheClientComesBack_TheHistoryIsNotSentAgain()
    {
        Add("Closet", []);
        const string query = "interval=50&fields=message,sourceName";
        string? id;
        using (var stream = await OpenAsync(query))
        {
            Raise("closet", "before", 500);
            await stream.EntryAsync(static one => IsOf(one, "closet"));
            id = stream.LastId;
            _publishing.Events.Raise(_publishing.Events.Maker.Make(
                StandardEvents.SystemEvent, _nodes.Find(new NodeId("Closet", 2)), "closet", "secret", 500));
            await stream.EntryAsync(static one => MessageOf(one) == "secret");
        }

        _nodes.Apply(new NodeBatch().Update(_nodes.Find(new NodeId("Closet", 2)), Define("Closet", EngineerOnly)));
        using var again = await EventReader.OpenEventsAsync(_gateway.Observer, query, id);
        Assert.Equal("""{"events":[],"skipped":1}""", (await again.NextAsync()).Json.GetRawText());
    }

    private static bool IsOf(JsonElement one, string source) =>
        one.TryGetProperty("sourceName", out var name) && name.GetString() == source;

    private static bool IsRefresh(JsonElement one, string state) =>
        one.TryGetProperty("refresh", out var refresh) && refresh.GetString() == state;

    private static string? MessageOf(JsonElement one) => one.GetProperty("message").GetString();

    private static ConditionDefinition DefinitionOf(string name, NodeId source = default) => new()
    {
        ConditionId = new NodeId("Alarms/stream/" + name, 1),
        Layout = ConditionLayouts.SystemOffNormal,
        ConditionName = name,
        Source = source,
        SourceName = name,
    };

    private static NodeDefinition Define(string name, RolePermissionType[] permissions) => new()
    {
        NodeId = new NodeId(name, 2),
        NodeClass = NodeClass.Object,
        BrowseName = new QualifiedName(name, 2),
        EventNotifier = EventNotifierType.SubscribeToEvents,
        HasOwnEvents = true,
        RolePermissions = permissions,
    };

    private void Add(string name) => Add(name, EngineerOnly);

    /// <param name="name">Of the node; anybody may have its events where nothing is permitted to anybody special.
    /// </param>
    /// <param name="permissions">Empty: an Observer has all.</param>
    private void Add(string name, RolePermissionType[] permissions) => _nodes.Apply(new NodeBatch()
        .AddNode(Define(name, permissions.Length > 0 ? permissions :
        [
            new RolePermissionType
            {
                RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Observer),
                Permissions = PermissionType.Browse | PermissionType.ReceiveEvents,
            },
        ]))
        .AddReference(
            new NodeId(StandardIds.Objects.ObjectsFolder), new NodeId(StandardIds.ReferenceTypes.Organizes),
            new NodeId(name, 2)));

    private Task<EventReader> OpenAsync(string query) => EventReader.OpenEventsAsync(_gateway.Observer, query);

    private void Raise(string source, string message, ushort severity, EventLayout? layout = null) =>
        _publishing.Events.Raise(_publishing.Events.Maker.Make(
            layout ?? StandardEvents.SystemEvent, default, source, message, severity));

    private void Report(string name, bool isActive, NodeId source = default) =>
        _publishing.Conditions.Report(DefinitionOf(name, source), isActive, 650, isActive ? "on" : "off");

    private void Answer(string name)
    {
        var id = DefinitionOf(name).ConditionId;
        var report = _publishing.Conditions.Read(retainedOnly: true).Single(one => one.ConditionId == id);
        Assert.Equal(StatusCode.Good, _publishing.Conditions.Call(
            id, new ConditionCall(ConditionAct.Acknowledge, null) { EventId = report.EventId }));
    }
}
