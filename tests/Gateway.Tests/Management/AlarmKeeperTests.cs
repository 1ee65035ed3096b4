using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Host.Configuration;
using Gateway.Host.Overview;
using Gateway.Publish;
using Gateway.Testing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Management;

/// <summary>The gateway's own alarms over a restart: a process is a table with a keeper.</summary>
public sealed class AlarmKeeperTests : IDisposable
{
    private const string Press = "source Press";

    private readonly ManualTimeProvider _time = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("alarms-").FullName;

    private string FilePath => Path.Combine(_folder, "alarms.json");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Restart_AcknowledgedAlarm_StaysAcknowledgedWithItsComment()
    {
        byte[] eventId;
        await using (var first = new Life(this))
        {
            first.Report(Press, isActive: true);
            Assert.Equal(StatusCode.Good, first.Answer(ConditionAct.Acknowledge, Press, "spare part ordered"));
            eventId = first.Of(Press).EventId;
        }

        await using var second = new Life(this);
        var alarm = second.Of(Press);
        Assert.True(alarm is { IsAcked: true, Retain: true, Active.Id: true });
        Assert.Equal("spare part ordered", alarm.Comment.Text);
        Assert.Equal("anna", alarm.User);
        Assert.Equal(eventId, alarm.EventId);
        // Its cause is found again: nothing has changed.
        second.Report(Press, isActive: true);
        Assert.Equal(eventId, second.Of(Press).EventId);
        _time.Advance(120_000);
        Assert.True(second.Of(Press) is { IsAcked: true, Active.Id: true });
    }

    /// <summary>A client acknowledges what it saw before the restart.</summary>
    [Fact]
    public async Task Restart_EventIdOfBefore_IsGoodForAnAnswer()
    {
        byte[] eventId;
        await using (var first = new Life(this))
        {
            first.Report(Press, isActive: true);
            eventId = first.Of(Press).EventId;
            first.Answer(ConditionAct.AddComment, Press, "seen");
        }

        await using var second = new Life(this);
        Assert.Equal(StatusCode.Good, second.Conditions.Call(
            Life.IdOf(Press), new ConditionCall(ConditionAct.Acknowledge, "bert") { EventId = eventId }));
        Assert.True(second.Of(Press).IsAcked);
    }

    [Fact]
    public async Task Restart_BranchLeftBehind_WaitsForItsAcknowledgement()
    {
        byte[] eventId;
        await using (var first = new Life(this))
        {
            first.Report(Press, isActive: true);
            eventId = first.Of(Press).EventId;
            first.Report(Press, isActive: false);
            first.Report(Press, isActive: true);
            first.Answer(ConditionAct.Acknowledge, Press, "");
        }

        await using var second = new Life(this);
        Assert.Equal(2, second.Conditions.Read(retainedOnly: true).Count);
        Assert.Equal(StatusCode.Good, second.Conditions.Call(
            Life.IdOf(Press), new ConditionCall(ConditionAct.Acknowledge, "bert") { EventId = eventId }));
        var left = Assert.Single(second.Conditions.Read(retainedOnly: true));
        Assert.True(left is { IsAcked: true, BranchId.IsNull: true });
    }

    /// <summary>The time without the gateway counts.</summary>
    [Fact]
    public async Task Restart_ShelvedAlarm_StaysShelvedUntilItsTime()
    {
        await using (var first = new Life(this))
        {
            first.Report(Press, isActive: true);
            Assert.Equal(StatusCode.Good, first.Conditions.Call(
                Life.IdOf(Press), new ConditionCall(ConditionAct.TimedShelve, "anna") { ShelvingTime = 60_000 }));
        }

        _time.Advance(40_000);
        await using var second = new Life(this);
        Assert.Equal(ShelvingKind.TimedShelved, second.Of(Press).Shelving);
        _time.Advance(19_000);
        second.Conditions.Expire();
        Assert.Equal(ShelvingKind.TimedShelved, second.Of(Press).Shelving);
        _time.Advance(2_000);
        second.Conditions.Expire();
        Assert.Equal(ShelvingKind.Unshelved, second.Of(Press).Shelving);
    }

    [Fact]
    public async Task Restart_SuppressedOrDisabledAlarm_StaysSo()
    {
        await using (var first = new Life(this))
        {
            first.Report(Press, isActive: true);
            first.Report("storm admission", isActive: true);
            first.Conditions.Call(Life.IdOf(Press), new ConditionCall(ConditionAct.Suppress, "anna"));
            first.Conditions.Call(Life.IdOf("storm admission"), new ConditionCall(ConditionAct.Disable, "anna"));
        }

        await using var second = new Life(this);
        Assert.True(second.Of(Press).IsSuppressed);
        Assert.False(second.Of("storm admission").IsEnabled);
    }

    /// <summary>After a minute: until then upstreams connect.</summary>
    [Fact]
    public async Task Restart_CauseIsGone_IsOverAfterAWhile()
    {
        await using (var first = new Life(this))
        {
            first.Report(Press, isActive: true);
            first.Report("storm admission", isActive: true);
            first.Answer(ConditionAct.Acknowledge, "storm admission", "");
        }

        await using var second = new Life(this);
        _time.Advance(59_000);
        Assert.True(second.Of(Press).Active.Id);
        _time.Advance(2_000);
        // One waits for an acknowledgement; the other one has had it, and is over.
        Assert.True(second.Of(Press) is { Active.Id: false, IsAcked: false, Retain: true });
        Assert.StartsWith("Over:", second.Of(Press).Message, StringComparison.Ordinal);
        Assert.False(second.Of("storm admission").Retain);
    }

    /// <summary>As behind kill -9: what was saved a second ago is there.</summary>
    [Fact]
    public async Task Kill_StateOfASecondAgo_IsThere()
    {
        var first = new Life(this);
        first.Report(Press, isActive: true);
        first.Answer(ConditionAct.Acknowledge, Press, "");
        _time.Advance(1_500);
        var copy = await File.ReadAllBytesAsync(FilePath);
        await first.DisposeAsync();
        await File.WriteAllBytesAsync(FilePath, copy);

        await using var second = new Life(this);
        Assert.True(second.Of(Press).IsAcked);
    }

    [Theory]
    [InlineData("")]
    [InlineData("no JSON")]
    [InlineData("[{}]")]
    [InlineData("[null]")]
    [InlineData("""[{"ConditionId":"i=1","EventType":"i=11753","ConditionName":"a","SourceName":"b","States":[]}]""")]
    [InlineData("""
        [{"ConditionId":"i=1","EventType":"i=58","ConditionName":"a","SourceName":"b","States":[{"EventIds":[]}]}]
        """)]
    [InlineData("""[{"ConditionId":"i=1","EventType":"i=11753","ConditionName":"a","SourceName":"b","States":null}]""")]
    [InlineData("""[{"ConditionId":"i=1","EventType":"i=11753","ConditionName":null,"SourceName":"b","States":[]}]""")]
    [InlineData("""[{"ConditionId":"x","EventType":"i=58","ConditionName":"a","SourceName":"b","States":[]}]""")]
    public async Task Start_FileOfSomebodyElse_BeginsWithoutAlarmsAndKeepsThoseToCome(string content)
    {
        await File.WriteAllTextAsync(FilePath, content);
        await using (var first = new Life(this))
        {
            Assert.Empty(first.Conditions.Read(retainedOnly: false));
            first.Report(Press, isActive: true);
        }

        await using var second = new Life(this);
        Assert.True(second.Of(Press).Active.Id);
    }

    /// <summary>It may be mended: only the next one is written over.</summary>
    [Fact]
    public async Task Start_FileThatCannotBeRead_IsPutAside()
    {
        await File.WriteAllTextAsync(FilePath, "half a fi");
        await using (var first = new Life(this))
            first.Report(Press, isActive: true);

        Assert.Equal("half a fi", await File.ReadAllTextAsync(FilePath + ".unreadable"));
        Assert.StartsWith("[{", await File.ReadAllTextAsync(FilePath), StringComparison.Ordinal);
    }

    /// <summary>The upstream is not configured any more: nobody can say who may see its alarm.</summary>
    [Fact]
    public async Task Restart_SourceOfANamespaceThatIsGone_IsNotThere()
    {
        await using (var first = new Life(this))
        {
            var index = first.Nodes.Namespaces.GetOrAdd("urn:gateway:upstreams");
            first.Report(Press, isActive: true, new NodeId("Press", index));
            first.Report("storm admission", isActive: true);
        }

        await using var second = new Life(this);
        Assert.Equal("storm admission", Assert.Single(second.Conditions.Read(retainedOnly: false)).ConditionName);
    }

    /// <summary>It has names of users.</summary>
    [Fact]
    public async Task File_Written_IsForTheGatewayAlone()
    {
        await using (var first = new Life(this))
            first.Report(Press, isActive: true);
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(FilePath));
    }

    private sealed class Life : IAsyncDisposable
    {
        private readonly PublishEngine _publishing;
        private readonly AlarmKeeper _keeper;

        public Life(AlarmKeeperTests tests)
        {
            var values = new ValueStore(tests._time);
            StandardNodes.Load(Nodes, values);
            Nodes.Namespaces.GetOrAdd("urn:own");
            _publishing = new PublishEngine(
                Nodes, values, PublishLimits.Default, new PlantLateness(), tests._time,
                NullLogger<PublishEngine>.Instance);
            _keeper = new AlarmKeeper(
                _publishing, Nodes, new AlarmOptions { Path = tests.FilePath }, tests._time,
                NullLogger<AlarmKeeper>.Instance);
            _keeper.Start();
        }

        public NodeTable Nodes { get; } = new();

        public ConditionTable Conditions => _publishing.Conditions;

        public static NodeId IdOf(string name) => new("Alarms/" + name, 1);

        public void Report(string name, bool isActive, NodeId source = default) => Conditions.Report(
            new ConditionDefinition
            {
                ConditionId = IdOf(name),
                Layout = ConditionLayouts.SystemOffNormal,
                ConditionName = name,
                Source = source,
                SourceName = name,
            },
            isActive, 700, "words");

        public StatusCode Answer(ConditionAct act, string name, string comment) => Conditions.Call(
            IdOf(name), new ConditionCall(act, "anna")
            {
                EventId = Of(name).EventId,
                Comment = comment.Length == 0 ? default : new LocalizedText(comment, "en"),
            });

        public ConditionReport Of(string name) => Conditions.Read(retainedOnly: false)
            .Single(one => one.ConditionName == name && one.BranchId.IsNull);

        public async ValueTask DisposeAsync()
        {
            await _keeper.DisposeAsync();
            await _publishing.DisposeAsync();
        }
    }
}
