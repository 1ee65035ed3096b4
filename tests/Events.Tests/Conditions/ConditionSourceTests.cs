using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Events.Tests.Support;

namespace Gateway.Events.Tests.Conditions;

/// <summary>R36: who may see a condition of a source that is gone, such as the object of an upstream that is not
/// configured any more.</summary>
public sealed class ConditionSourceTests : IDisposable
{
    private static readonly NodeId Server = new(StandardIds.Objects.Server);

    private readonly NodeTable _nodes = new();
    private readonly EventHub _hub;
    private readonly ConditionTable _table;
    private readonly NodeId _gone;

    public ConditionSourceTests()
    {
        var values = new ValueStore(TimeProvider.System);
        StandardNodes.Load(_nodes, values);
        _gone = new NodeId("Press", _nodes.Namespaces.GetOrAdd("urn:upstreams"));
        _hub = new EventHub(
            _nodes, values, new EventMaker(_nodes, TimeProvider.System), new EventHubLimits(), TimeProvider.System);
        _table = new ConditionTable(_hub, _nodes, new ConditionLimits(), TimeProvider.System);
    }

    public void Dispose() => _hub.Dispose();

    [Fact]
    public void TryFind_NoSourceOrOneThatIsGone_IsTheServer()
    {
        Assert.True(ConditionSource.TryFind(_nodes, NodeId.Null, out var found));
        Assert.Equal(Server, _nodes.GetNodeId(found));
        Assert.True(ConditionSource.TryFind(_nodes, _gone, out found));
        Assert.Equal(Server, _nodes.GetNodeId(found));
    }

    [Fact]
    public void TryFind_GoneAndItsNamespaceHasRules_IsNobodys()
    {
        Guard();
        Assert.False(ConditionSource.TryFind(_nodes, _gone, out _));
        Assert.True(ConditionSource.TryFind(_nodes, NodeId.Null, out _));
    }

    /// <summary>Of an upstream nothing is everybody's without its object.</summary>
    [Fact]
    public void TryFind_OfAnUpstreamWithoutAnObject_IsNobodys()
    {
        var root = _nodes.Find(Server);
        Assert.True(MirroredSource.TryFind(_nodes, _gone, root, out var found));
        Assert.Equal(root, found);
        Assert.False(MirroredSource.TryFind(_nodes, _gone, default, out _));
        Assert.False(MirroredSource.TryFind(_nodes, NodeId.Null, default, out _));
    }

    /// <summary>Neither an event nor a refresh brings it.</summary>
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)]
    public void Refresh_SourceIsGone_BringsItOnlyWhereNoRuleSaysOtherwise(bool isGuarded, int expected)
    {
        if (isGuarded)
            Guard();
        var inbox = _hub.OpenInbox(10, static () => { });
        var verdict = _hub.Take(new EventFilter { SelectClauses = [EventSample.Field("Message")] }, "test");
        _hub.Join(verdict.Filter!, _nodes.Find(Server), inbox, seesAudit: false);
        _table.Report(
            new ConditionDefinition
            {
                ConditionId = new NodeId("Alarms/source/Press", 1),
                Layout = ConditionLayouts.SystemOffNormal,
                ConditionName = "source Press",
                Source = _gone,
                SourceName = "Press",
            },
            isActive: true, 500, "lost");
        var (next, count) = (0, 0);
        while (_table.TryReadRetained(ref next, out var record, out _))
            count += record is null ? 0 : 1;
        Assert.Equal(expected, count);
        Assert.Equal(expected == 1, inbox.TryTake(out _));
    }

    /// <summary>Those who have the alarm in their list get its end, with what they have seen of it and by the rights on
    /// the node that is gone; nothing of later comes to anybody.</summary>
    [Fact]
    public void Report_SourceHasGoneBehindRules_EndsOnceForThoseWhoHadIt()
    {
        Guard();
        _nodes.Apply(new NodeBatch().AddObject(
            _gone, new QualifiedName("Press"), new NodeId(StandardIds.Objects.ObjectsFolder)));
        var source = _nodes.Find(_gone);
        var inbox = _hub.OpenInbox(10, static () => { });
        var verdict = _hub.Take(
            new EventFilter { SelectClauses = [EventSample.Field("Message"), EventSample.Field("Retain")] }, "test");
        _hub.Join(verdict.Filter!, _nodes.Find(Server), inbox, seesAudit: false);
        var definition = new ConditionDefinition
        {
            ConditionId = new NodeId("Alarms/source/Press", 1),
            Layout = ConditionLayouts.SystemOffNormal,
            ConditionName = "source Press",
            Source = _gone,
            SourceName = "Press",
        };
        _table.Report(definition, isActive: true, 500, "lost");
        Assert.Equal([("lost", true, source)], Told(inbox));
        _nodes.Apply(new NodeBatch().Remove(source));
        _table.Report(definition, isActive: false, 500, "a secret");
        Assert.Equal([("lost", false, source)], Told(inbox));
        _table.Report(definition, isActive: true, 500, "another secret");
        Assert.Empty(Told(inbox));
    }

    private static List<(string? Message, bool Retain, NodeHandle Guard)> Told(EventInbox inbox)
    {
        var told = new List<(string?, bool, NodeHandle)>();
        while (inbox.TryTake(out var next))
        {
            var fields = new UaBinaryReader(next.Fields.EncodedVariant).ReadVariant().AsArray<Variant>()!;
            told.Add((fields[0].AsLocalizedText().Text, fields[1].AsBoolean(), next.Source));
            next.Fields.Release();
        }

        return told;
    }

    private void Guard() => _nodes.SetDefaultRule(
        _gone.NamespaceIndex, new AccessRule([new RolePermissionType()], null));
}
