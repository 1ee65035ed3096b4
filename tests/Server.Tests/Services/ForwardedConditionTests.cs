using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Model;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Services;

/// <summary>Methods of conditions of an upstream by Call: who may, and how they go on. Source: Part 9 §5.7.3.</summary>
public sealed class ForwardedConditionTests : IDisposable, IConditionForwarder
{
    private const uint Operator = 15680;
    private const uint Acknowledge = 9111;
    private const uint Suppress = 16403;
    private const uint Respond = 9069;

    private static readonly NodeId Alarm = new("upstream alarm", 1);

    private static readonly EventLayout Layout = new(new NodeId(2915), isCondition: true, MirroredFields.All);

    private readonly ServerFixture _fixture = new();
    private readonly List<ForwardedCall> _calls = [];
    private StatusCode _answer = StatusCode.Good;

    public void Dispose() => _fixture.Dispose();

    public ValueTask<CallMethodResult> CallAsync(ForwardedCall call, CancellationToken cancellation)
    {
        _calls.Add(call);
        return new(new CallMethodResult { StatusCode = _answer });
    }

    [Fact]
    public async Task Acknowledge_OfAnUpstreamsCondition_GoesOnWithTheUser()
    {
        Report(TestPlant.Folder);
        var client = await _fixture.ConnectAsync("operator");
        Assert.Equal(StatusCodes.Good, await CallAsync(client, Acknowledge, EventId(7), Text("seen")));
        var call = Assert.Single(_calls);
        Assert.Equal((Alarm, new NodeId(Acknowledge), "operator"), (call.ConditionId, call.MethodId, call.User));
        Assert.Equal([7], call.EventId);
        Assert.Equal("seen", call.Comment);
    }

    [Theory]
    [InlineData(StatusCodes.BadNoCommunication)]
    [InlineData(StatusCodes.BadConditionBranchAlreadyAcked)]
    [InlineData(StatusCodes.BadEventIdUnknown)]
    public async Task Acknowledge_UpstreamRefuses_HasItsCode(uint code)
    {
        Report(TestPlant.Folder);
        _answer = code;
        var client = await _fixture.ConnectAsync("operator");
        Assert.Equal(code, await CallAsync(client, Acknowledge, EventId(7), Text("")));
    }

    [Theory]
    [InlineData("observer", Acknowledge, StatusCodes.BadUserAccessDenied)]
    [InlineData("operator", Acknowledge, StatusCodes.Good)]
    [InlineData("operator", Suppress, StatusCodes.BadUserAccessDenied)]
    [InlineData("engineer", Suppress, StatusCodes.Good)]
    [InlineData("operator", Respond, StatusCodes.Good)]
    [InlineData("admin", Respond, StatusCodes.BadUserAccessDenied)]
    public async Task Call_Role_IsCheckedBeforeItGoesOn(string user, uint method, uint expected)
    {
        Report(TestPlant.Folder);
        var client = await _fixture.ConnectAsync(user);
        Variant[] inputs = method switch
        {
            Acknowledge => [EventId(7), Text("")],
            Respond => [new Variant(1)],
            _ => [],
        };
        Assert.Equal(expected, await CallAsync(client, method, inputs));
        Assert.Equal(expected == StatusCodes.Good ? 1 : 0, _calls.Count);
    }

    [Fact]
    public async Task Call_WrongInputs_AreNotSent()
    {
        Report(TestPlant.Folder);
        var client = await _fixture.ConnectAsync("operator");
        Assert.Equal(
            StatusCodes.BadInvalidArgument, await CallAsync(client, Acknowledge, new Variant("none"), Text("")));
        Assert.Equal(
            StatusCodes.BadInvalidArgument,
            await CallAsync(client, Acknowledge, EventId(7), Text(new string('x', 1025))));
        Assert.Empty(_calls);
    }

    /// <summary>R36: nor is another code a hint at it.</summary>
    [Fact]
    public async Task Call_SourceWhoseEventsTheUserMayNotHave_IsUnknown()
    {
        _fixture.SetRights(TestPlant.Folder, null, (Operator, PermissionType.Browse | PermissionType.Call));
        Report(TestPlant.Folder);
        var client = await _fixture.ConnectAsync("operator");
        Assert.Equal(StatusCodes.BadNodeIdUnknown, await CallAsync(client, Acknowledge, EventId(7), Text("")));
        Assert.Empty(_calls);
    }

    private static Variant Text(string text) => new(new LocalizedText(text, "en"));

    private static Variant EventId(byte id) => Variant.FromByteString([id]);

    private void Report(NodeId source)
    {
        var values = new Variant[MirroredFields.All.Count];
        values[MirroredFields.ConditionId] = new Variant(Alarm);
        values[MirroredFields.EventId] = EventId(7);
        values[MirroredFields.EventType] = new Variant(Layout.EventType);
        values[MirroredFields.SourceNode] = new Variant(source);
        values[MirroredFields.Retain] = new Variant(true);
        var mirror = _fixture.Publishing.Conditions.Mirrored.Open(
            source, this, new MirrorLimits(static () => 10, static () => 10_000));
        mirror.Take(new EventRecord(Layout, values, _fixture.Find(source)) { Root = _fixture.Find(source) }, 100);
    }

    private static async Task<uint> CallAsync(TestClient client, uint method, params Variant[] inputs) =>
        Assert.Single((await client.CallAsync<CallResponse>(new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest { ObjectId = Alarm, MethodId = new NodeId(method), InputArguments = inputs },
            ],
        })).Results!).StatusCode.Code;
}
