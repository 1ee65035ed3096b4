using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;
using static Gateway.Codec.Types.StandardIds.Variables;

namespace Gateway.Server.Tests.ServerObject;

public sealed class LiveServerObjectTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task ServerStatus_Read_IsNow()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Time.Advance(1234);
        var status = (await ReadAsync(client, Server_ServerStatus)).Value.AsStructure<ServerStatusDataType>()!;
        var now = _fixture.Time.GetUtcNow().UtcDateTime;
        Assert.Equal(now, status.CurrentTime);
        Assert.Equal(now - TimeSpan.FromMilliseconds(1234), status.StartTime);
        Assert.Equal(ServerState.Running, status.State);
        Assert.Equal("OPC UA Gateway", status.BuildInfo.ProductName);
        var current = await ReadAsync(client, Server_ServerStatus_CurrentTime);
        Assert.Equal(now, current.Value.AsDateTime());
        Assert.Equal(now, current.SourceTimestamp);
        Assert.Equal(now, current.ServerTimestamp);
    }

    [Fact]
    public async Task LocalTime_Read_KnowsItsZoneAndSummerTime()
    {
        var summer = TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
            DateTime.MinValue.Date, DateTime.MaxValue.Date, TimeSpan.FromHours(1),
            TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(1, 1, 1, 2, 0, 0), 4, 1),
            TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(1, 1, 1, 3, 0, 0), 10, 1));
        _fixture.Time.Zone = TimeZoneInfo.CreateCustomTimeZone(
            "test", TimeSpan.FromMinutes(-210), null, null, null, [summer]);
        var client = await _fixture.ConnectAsync();
        async Task<TimeZoneDataType> LocalTimeAsync() =>
            (await ReadAsync(client, Server_LocalTime)).Value.AsStructure<TimeZoneDataType>()!;

        var winter = await LocalTimeAsync();
        Assert.Equal((-210, false), (winter.Offset, winter.DaylightSavingInOffset));
        _fixture.Time.MoveWallClock(TimeSpan.FromDays(150));
        var later = await LocalTimeAsync();
        Assert.Equal((-150, true), (later.Offset, later.DaylightSavingInOffset));
    }

    [Fact]
    public async Task Shutdown_Announced_IsCountedDown()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(255, (await ReadAsync(client, Server_ServiceLevel)).Value.AsInt32());
        _fixture.Server.BeginShutdown(TimeSpan.FromSeconds(10));
        _fixture.Time.Advance(3000);
        var status = (await ReadAsync(client, Server_ServerStatus)).Value.AsStructure<ServerStatusDataType>()!;
        Assert.Equal(ServerState.Shutdown, status.State);
        Assert.Equal(7u, status.SecondsTillShutdown);
        Assert.NotNull(status.ShutdownReason.Text);
        Assert.Equal(7u, (await ReadAsync(client, Server_ServerStatus_SecondsTillShutdown)).Value.AsUInt32());
        Assert.Equal(4, (await ReadAsync(client, Server_ServerStatus_State)).Value.AsInt32());
        Assert.Equal(0, (await ReadAsync(client, Server_ServiceLevel)).Value.AsInt32());
        _fixture.Time.Advance(60_000);
        _fixture.Server.CloseSessions();
        Assert.Equal(0, _fixture.Server.SessionCount);
    }

    /// <summary>Source: Part 4 §6.6.2.4.2: clients stay away until then.</summary>
    [Fact]
    public async Task Shutdown_Announced_SaysWhenTheServerReturns()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(default, (await ReadAsync(client, Server_EstimatedReturnTime)).Value.AsDateTime());
        var due = _fixture.Time.GetUtcNow().UtcDateTime + TimeSpan.FromSeconds(30);

        _fixture.Server.BeginShutdown(TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(20));
        _fixture.Time.Advance(3000);

        Assert.Equal(due, (await ReadAsync(client, Server_EstimatedReturnTime)).Value.AsDateTime());
    }

    /// <summary>An error on the timer would end the process (R40).</summary>
    [Fact]
    public void Refresh_Fails_IsTriedAgainASecondLater()
    {
        var node = _fixture.Find(new NodeId(Server_ServerStatus_CurrentTime));
        _fixture.Time.Zone = null!;
        _fixture.Time.Advance(1000);
        _fixture.Time.Zone = TimeZoneInfo.Utc;
        _fixture.Time.Advance(1000);
        Assert.Equal(_fixture.Time.GetUtcNow().UtcDateTime, _fixture.Values.Read(node).Value.AsDateTime());
    }

    [Fact]
    public async Task NamespaceArray_NamespaceAdded_IsThereAtOnce()
    {
        var client = await _fixture.ConnectAsync();
        var before = (await ReadAsync(client, Server_NamespaceArray)).Value.AsArray<string>()!;
        Assert.Equal("http://opcfoundation.org/UA/", before[0]);
        Assert.Equal("urn:test:server", before[1]);
        _fixture.Nodes.Namespaces.GetOrAdd("urn:new");
        var after = (await ReadAsync(client, Server_NamespaceArray)).Value.AsArray<string>()!;
        Assert.Equal([.. before, "urn:new"], after);
    }

    /// <summary>An item may have RevisedSamplingInterval 0.</summary>
    [Fact]
    public async Task MinSupportedSampleRate_Read_IsTheLeastThatIsGranted()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(0.0, (await ReadAsync(client, Server_ServerCapabilities_MinSupportedSampleRate)).Value.AsDouble());
    }

    [Fact]
    public async Task OperationLimits_Read_AreThoseEnforced()
    {
        var client = await _fixture.ConnectAsync();
        var limits = _fixture.Options.Limits;
        (uint Id, int Expected)[] expected =
        [
            (Server_ServerCapabilities_OperationLimits_MaxNodesPerRead, limits.MaxNodesPerRead),
            (Server_ServerCapabilities_OperationLimits_MaxNodesPerWrite, limits.MaxNodesPerWrite),
            (Server_ServerCapabilities_OperationLimits_MaxNodesPerBrowse, limits.MaxNodesPerBrowse),
            (Server_ServerCapabilities_OperationLimits_MaxNodesPerMethodCall, limits.MaxNodesPerMethodCall),
            (Server_ServerCapabilities_MaxSessions, limits.MaxSessions),
            (Server_ServerCapabilities_MaxArrayLength, limits.MaxArrayLength),
            (Server_ServerCapabilities_MaxBrowseContinuationPoints, limits.MaxBrowseContinuationPoints),
            (Server_ServerCapabilities_MaxSubscriptions, _fixture.Publishing.Limits.MaxSubscriptions),
            (Server_ServerCapabilities_MaxSelectClauseParameters, _fixture.Publishing.Limits.MaxEventSelectClauses),
            (Server_ServerCapabilities_MaxWhereClauseParameters, _fixture.Publishing.Limits.MaxEventWhereElements),
        ];
        foreach (var (id, value) in expected)
            Assert.Equal(value, (await ReadAsync(client, id)).Value.AsInt64());
    }

    [Fact]
    public async Task EveryVariableOfTheServer_ReadByAnAdmin_HasAValueOfItsType()
    {
        _fixture.Users.Users["root"] = Roles.Engineer | Roles.SecurityAdmin;
        var client = await _fixture.ConnectAsync("root", SecurityPolicies.Basic256Sha256);
        var nodes = _fixture.Nodes;
        var variables = Below(new NodeId(2253)).Where(node =>
            nodes.GetNodeClass(node) == NodeClass.Variable && !IsForKeyServersOnly(node)).ToList();
        Assert.True(variables.Count > 50);
        foreach (var node in variables)
        {
            var response = await client.CallAsync<ReadResponse>(new ReadRequest
            {
                NodesToRead = [new ReadValueId { NodeId = nodes.GetNodeId(node), AttributeId = 13 }],
            });
            var value = response.Results![0];
            Assert.True(value.Status.IsGood, $"{nodes.GetNodeId(node)} {nodes.GetBrowseName(node)}: {value.Status}");
            var type = nodes.GetVariableFacts(node).BuiltInType;
            Assert.True(
                type == BuiltInType.Null || value.Value.Type == type,
                $"{nodes.GetNodeId(node)} {nodes.GetBrowseName(node)}: {value.Value.Type}, not {type}");
        }
    }

    /// <summary>For the role SecurityKeyServerAdmin, which nobody has here.</summary>
    private bool IsForKeyServersOnly(NodeHandle node) =>
        _fixture.Nodes.GetRolePermissions(node) is { Length: > 0 } entries &&
        entries.All(entry => entry.RoleId == new NodeId(25565));

    [Fact]
    public async Task CurrentTime_Subscribed_ComesEachSecond()
    {
        var client = await _fixture.ConnectAsync();
        var subscription = await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 1000,
            PublishingEnabled = true,
        });
        var items = await client.CallAsync<CreateMonitoredItemsResponse>(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription.SubscriptionId,
            ItemsToCreate =
            [
                new MonitoredItemCreateRequest
                {
                    ItemToMonitor = new ReadValueId
                    {
                        NodeId = new NodeId(Server_ServerStatus_CurrentTime),
                        AttributeId = (uint)AttributeId.Value,
                    },
                    MonitoringMode = MonitoringMode.Reporting,
                },
            ],
        });
        // It moves once a second: nothing faster is promised.
        Assert.Equal((StatusCode.Good, 1000), (items.Results![0].StatusCode, items.Results[0].RevisedSamplingInterval));
        var node = _fixture.Find(new NodeId(Server_ServerStatus_CurrentTime));
        Assert.True(_fixture.Values.IsWatched(node));
        var before = _fixture.Values.Read(node).Value.AsDateTime();
        _fixture.Time.Advance(1000);
        Assert.Equal(TimeSpan.FromSeconds(1), _fixture.Values.Read(node).Value.AsDateTime() - before);
    }

    private List<NodeHandle> Below(NodeId root)
    {
        var nodes = _fixture.Nodes;
        var aggregates = nodes.Find(new NodeId(44));
        var found = new List<NodeHandle> { nodes.Find(root) };
        for (var i = 0; i < found.Count; i++)
        {
            foreach (var reference in nodes.References(found[i]))
            {
                if (reference.IsForward && nodes.IsSubtypeOf(reference.ReferenceType, aggregates) &&
                    !found.Contains(reference.Target))
                    found.Add(reference.Target);
            }
        }

        return found;
    }

    private static async Task<DataValue> ReadAsync(TestClient client, uint id)
    {
        var response = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            TimestampsToReturn = TimestampsToReturn.Both,
            NodesToRead = [new ReadValueId { NodeId = new NodeId(id), AttributeId = (uint)AttributeId.Value }],
        });
        return response.Results!.Single();
    }
}
