using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Events;

/// <summary>An upstream that gives one EventId to many events. The standard forbids it; alarms are known by their
/// ConditionId here, so nothing is lost by it. Source: Part 5 §6.4.2.</summary>
public sealed class RepeatedEventIdTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Subscribed = 5080;
    private const uint PlainType = 2041, AlarmType = 2915, RefreshStart = 2787, RefreshEnd = 2788;

    private readonly UpstreamFixture _gateway = new(events: true);
    private readonly EventWatch _watch;

    public RepeatedEventIdTests() =>
        _watch = new EventWatch(_gateway, "EventId", "Message", "", "ActiveState/Id", "Retain");

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task Events_WithOneEventId_AreAllTold()
    {
        await StartAsync();

        _watch.Send(Plain("opened"), Plain("closed"), Alarm("hot"), Alarm("cold"), Plain("opened"));

        Assert.Equal(["opened", "closed", "hot on", "cold on", "opened"], await ToldAsync(5));
        Assert.True(_watch.IsEmpty);
    }

    [Fact]
    public async Task Alarm_ItsChangesHaveOneEventId_IsOneAlarmAndEachChangeIsToldOnce()
    {
        await StartAsync();

        _watch.Send(Alarm("hot"), Alarm("hot"), Alarm("hot", isActive: false), Alarm("hot"), Alarm("hot"));
        _watch.Send(Plain("end"));

        Assert.Equal(["hot on", "hot off", "hot on", "end"], await ToldAsync(4));
        Assert.True(_watch.IsEmpty);
        var known = Assert.Single(_gateway.Conditions.Read(retainedOnly: true));
        Assert.True(known.Active.Id);
    }

    [Fact]
    public async Task Refresh_AllWithOneEventId_TellsNothingAgain()
    {
        await StartAsync();
        _watch.Send(Alarm("hot"), Alarm("cold"));
        await ToldAsync(2);

        _watch.Send(Control(RefreshStart), Alarm("hot"), Alarm("cold"), Control(RefreshEnd), Plain("end"));

        Assert.Equal(["end"], await ToldAsync(1));
        Assert.Equal(2, _gateway.Conditions.Read(retainedOnly: true).Count);
    }

    /// <summary>The ConditionId says which one, and the upstream has the last word.</summary>
    [Theory]
    [InlineData("hot"), InlineData("cold")]
    public async Task Acknowledge_AlarmsWithOneEventId_GoesToThatOfTheCall(string name)
    {
        await StartAsync();
        _watch.Send(Alarm("hot"), Alarm("cold"));
        var told = new[] { await _watch.NextAsync(), await _watch.NextAsync() };
        var id = told.Single(one => one[""].AsNodeId().String == name)[""].AsNodeId();

        var call = new Gateway.Events.Conditions.ForwardedCall(
            id, new NodeId(9111), [Variant.FromByteString([1]), default], "anna", "user:anna");
        Assert.True((await _gateway.Conditions.Find(id, [1])!.Value.CallAsync(call, default)).StatusCode.IsGood);

        var sent = _gateway.Server.Requests.OfType<CallRequest>().Last().MethodsToCall![0];
        Assert.Equal(new NodeId(name, 2), sent.ObjectId);
    }

    private async Task StartAsync()
    {
        _gateway.Server.OnCall = static _ => StatusCode.Good;
        _gateway.Start();
        await _gateway.Log.NextAsync(Subscribed);
        await Condition.UntilAsync(() =>
        {
            lock (_gateway.Server.Requests)
                return _gateway.Server.Requests.OfType<CallRequest>().Any();
        });
    }

    private async Task<List<string>> ToldAsync(int count)
    {
        var told = new List<string>();
        for (var i = 0; i < count; i++)
        {
            var next = await _watch.NextAsync();
            Assert.Equal([1], next["EventId"].AsByteString());
            told.Add(next["Message"].AsLocalizedText().Text ??
                $"{next[""].AsNodeId().String} {(next["ActiveState/Id"].AsBoolean() ? "on" : "off")}");
        }

        return told;
    }

    private static Dictionary<string, Variant> Plain(string message) => new(Control(PlainType))
    {
        ["Message"] = new Variant(new LocalizedText(message)),
    };

    private static Dictionary<string, Variant> Alarm(string name, bool isActive = true) => new(Control(AlarmType))
    {
        [""] = new Variant(new NodeId(name, 2)),
        ["Retain"] = new Variant(true),
        ["ActiveState/Id"] = new Variant(isActive),
    };

    private static Dictionary<string, Variant> Control(uint type) => new()
    {
        ["EventId"] = Variant.FromByteString([1]),
        ["EventType"] = new Variant(new NodeId(type)),
        ["Time"] = new Variant(FakeUpstream.At(7)),
    };
}
