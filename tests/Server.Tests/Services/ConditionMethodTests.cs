using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Services;

/// <summary>The methods of conditions by Call: their addresses, arguments, rights and codes. Source: Part 9 §5.5 to
/// §5.8.</summary>
public sealed class ConditionMethodTests : IDisposable
{
    private const uint Operator = 15680;
    private const uint Acknowledge = 9111;
    private const uint Confirm = 9113;
    private const uint Refresh = 3875;
    private const uint Refresh2 = 12912;

    private static readonly NodeId Alarm = new("Alarms/test", 1);
    private static readonly NodeId ConditionType = new(2782);

    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task Acknowledge_ByConditionId_NeedsNoNode()
    {
        Report();
        var client = await _fixture.ConnectAsync("operator");
        Assert.True(_fixture.Find(Alarm).IsNone);
        Assert.Equal(StatusCodes.Good, await CallAsync(client, Alarm, Acknowledge, EventId(), Text("seen")));
        var report = Current();
        Assert.True(report.IsAcked);
        Assert.Equal(("seen", "operator"), (report.Comment.Text, report.User));
    }

    [Fact]
    public async Task Acknowledge_TwoClients_OneWins()
    {
        Report();
        var (first, second) = (await _fixture.ConnectAsync("operator"), await _fixture.ConnectAsync("engineer"));
        var id = EventId();
        Assert.Equal(StatusCodes.Good, await CallAsync(first, Alarm, Acknowledge, id, Text("mine")));
        Assert.Equal(
            StatusCodes.BadConditionBranchAlreadyAcked,
            await CallAsync(second, Alarm, Acknowledge, id, Text("no, mine")));
        Assert.Equal("mine", Current().Comment.Text);
    }

    /// <summary>Each of them, with an input for each of its arguments.</summary>
    [Fact]
    public async Task Call_EachMethod_IsFoundOnTheConditionAndNotOnItsType()
    {
        Report();
        var client = await _fixture.ConnectAsync("engineer");
        foreach (var (id, method) in ConditionMethod.ById.Where(static one => one.Value.Act is not null))
        {
            Variant[] inputs =
            [
                .. method.Inputs.Select(one => one.Name switch
                {
                    "EventId" => EventId(),
                    "Comment" => Text("comment"),
                    _ => new Variant(1000.0),
                }),
            ];
            var code = await CallAsync(client, Alarm, id, inputs);
            Assert.True(
                code is StatusCodes.Good or StatusCodes.BadConditionAlreadyEnabled
                    or StatusCodes.BadConditionDisabled or StatusCodes.BadConditionNotShelved
                    or StatusCodes.BadConditionAlreadyShelved or StatusCodes.BadConditionBranchAlreadyAcked
                    or StatusCodes.BadConditionBranchAlreadyConfirmed,
                $"{id}: {code:X}");
            if (method.Act == ConditionAct.Disable)
                Assert.Equal(StatusCodes.Good, await CallAsync(client, Alarm, 9027));
            Assert.Equal(StatusCodes.BadNodeIdInvalid, await CallAsync(client, ConditionType, id, inputs));
            Assert.Equal(
                StatusCodes.BadTooManyArguments, await CallAsync(client, Alarm, id, [.. inputs, new Variant(1)]));
            if (inputs.Length > 0)
                Assert.Equal(StatusCodes.BadArgumentsMissing, await CallAsync(client, Alarm, id));
        }
    }

    [Fact]
    public void Methods_OfTheTypes_AreTheStandards()
    {
        // The NodeSet has these three in the list of ids alone.
        foreach (var id in ConditionMethod.ById.Keys.Except([24738u, 24740u, 24742u]))
        {
            var node = _fixture.Find(new NodeId(id));
            Assert.Equal(NodeClass.Method, _fixture.Nodes.GetNodeClass(node));
            Assert.True(_fixture.Nodes.ReadAttribute(node, AttributeId.Executable, out var executable).IsGood);
            Assert.True(executable.AsBoolean());
        }
    }

    [Fact]
    public async Task Call_WrongThings_HaveTheirCodes()
    {
        Report();
        var client = await _fixture.ConnectAsync("engineer");
        var unknown = new NodeId("Alarms/other", 1);
        Assert.Equal(StatusCodes.BadNodeIdUnknown, await CallAsync(client, unknown, Acknowledge, EventId(), Text("")));
        Assert.Equal(StatusCodes.BadMethodInvalid, await CallAsync(client, Alarm, 11492, new Variant(1u)));
        Assert.Equal(StatusCodes.BadMethodInvalid, await CallAsync(client, Alarm, Refresh, new Variant(1u)));
        Assert.Equal(StatusCodes.BadInvalidArgument, await CallAsync(
            client, Alarm, Acknowledge, new Variant("no ByteString"), Text("")));
        Assert.Equal(StatusCodes.BadInvalidArgument, await CallAsync(
            client, Alarm, Acknowledge, EventId(), Text(new string('x', 1025))));
        Assert.Equal(StatusCodes.BadEventIdUnknown, await CallAsync(
            client, Alarm, Confirm, Variant.FromByteString([1]), Text("")));
        // A type below ConditionType.
        Assert.Equal(StatusCodes.BadNodeIdInvalid, await CallAsync(
            client, new NodeId(2881), Acknowledge, EventId(), Text("")));
        Assert.Equal(StatusCodes.BadMethodInvalid, await CallAsync(
            client, new NodeId(2253), Refresh, new Variant(1u)));
    }

    [Theory]
    [InlineData("observer", Acknowledge, StatusCodes.BadUserAccessDenied)]
    [InlineData("operator", Acknowledge, StatusCodes.Good)]
    [InlineData("engineer", Acknowledge, StatusCodes.Good)]
    [InlineData("admin", Acknowledge, StatusCodes.BadUserAccessDenied)]
    [InlineData("nobody", Acknowledge, StatusCodes.BadUserAccessDenied)]
    [InlineData("observer", 16403u, StatusCodes.BadUserAccessDenied)]
    [InlineData("operator", 16403u, StatusCodes.BadUserAccessDenied)]
    [InlineData("engineer", 16403u, StatusCodes.Good)]
    [InlineData("operator", 9028u, StatusCodes.BadUserAccessDenied)]
    [InlineData("operator", 17869u, StatusCodes.BadUserAccessDenied)]
    [InlineData("operator", 9212u, StatusCodes.Good)]
    public async Task Call_Role_IsChecked(string user, uint method, uint expected)
    {
        Report();
        var client = await _fixture.ConnectAsync(user);
        Variant[] inputs = method == Acknowledge ? [EventId(), Text("")] : [];
        Assert.Equal(expected, await CallAsync(client, Alarm, method, inputs));
    }

    /// <summary>Nor is another code a hint at it.</summary>
    [Fact]
    public async Task Call_SourceWhoseEventsTheUserMayNotHave_IsUnknown()
    {
        _fixture.SetRights(TestPlant.Folder, null, (Operator, PermissionType.Browse | PermissionType.Call));
        Report(TestPlant.Folder);
        var client = await _fixture.ConnectAsync("operator");
        Assert.Equal(StatusCodes.BadNodeIdUnknown, await CallAsync(client, Alarm, Acknowledge, EventId(), Text("")));
        Assert.Equal(StatusCodes.BadNodeIdUnknown, await CallAsync(client, Alarm, 11492));
        _fixture.SetRights(TestPlant.Folder, null, (Operator, PermissionType.Browse | PermissionType.ReceiveEvents));
        Assert.Equal(
            StatusCodes.BadUserAccessDenied, await CallAsync(client, Alarm, Acknowledge, EventId(), Text("")));
    }

    [Fact]
    public async Task Refresh_ByCall_HasTheCodesOfTheSubscription()
    {
        var client = await _fixture.ConnectAsync("observer");
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, await CallAsync(
            client, ConditionType, Refresh, new Variant(1u)));
        var subscription =
            (await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest())).SubscriptionId;
        Assert.Equal(StatusCodes.BadNothingToDo, await CallAsync(
            client, ConditionType, Refresh, new Variant(subscription)));
        Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, await CallAsync(
            client, ConditionType, Refresh2, new Variant(subscription), new Variant(7u)));
        Assert.Equal(StatusCodes.BadInvalidArgument, await CallAsync(
            client, ConditionType, Refresh, new Variant("1")));
    }

    private static Variant Text(string text) => new(new LocalizedText(text, "en"));

    private void Report(NodeId source = default) => _fixture.Publishing.Conditions.Report(
        new ConditionDefinition
        {
            ConditionId = Alarm,
            Layout = ConditionLayouts.SystemOffNormal,
            ConditionName = "test",
            Source = source,
            SourceName = "test",
        },
        true, 500, "off");

    private ConditionReport Current() => Assert.Single(_fixture.Publishing.Conditions.Read(retainedOnly: false));

    private Variant EventId() => Variant.FromByteString(Current().EventId);

    private static async Task<uint> CallAsync(
        TestClient client, NodeId on, uint method, params Variant[] inputs) =>
        Assert.Single((await client.CallAsync<CallResponse>(new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest { ObjectId = on, MethodId = new NodeId(method), InputArguments = inputs },
            ],
        })).Results!).StatusCode.Code;
}
