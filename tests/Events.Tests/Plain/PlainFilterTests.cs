using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Filters;
using Gateway.Events.Plain;
using Gateway.Events.Tests.Support;

namespace Gateway.Events.Tests.Plain;

public sealed class PlainFilterTests
{
    private const uint BaseEvent = EventSample.BaseEventType;
    private const uint SystemEvent = EventSample.SystemEventType;
    private const uint Alarm = EventSample.AlarmConditionType;
    private const uint DeviceFailure = 2131;
    private const uint Audit = 2052;

    /// <summary>The sample is a SystemEventType of severity 500.</summary>
    [Theory]
    [InlineData(0, true)]
    [InlineData(500, true)]
    [InlineData(501, false)]
    [InlineData(0, true, SystemEvent)]
    [InlineData(0, true, BaseEvent)]
    [InlineData(0, false, Alarm)]
    [InlineData(0, false, DeviceFailure)]
    [InlineData(0, true, Alarm, SystemEvent)]
    [InlineData(0, true, SystemEvent, Alarm, Audit)]
    [InlineData(0, true, Alarm, Audit, SystemEvent)]
    [InlineData(0, false, Alarm, Audit, DeviceFailure)]
    [InlineData(500, true, Alarm, Audit, SystemEvent)]
    [InlineData(501, false, Alarm, Audit, SystemEvent)]
    [InlineData(500, false, Alarm)]
    public void Of_TypesAndSeverity_LetsPassWhatWasAskedFor(int minSeverity, bool passes, params uint[] types)
    {
        var filter = PlainFilter.Of(
            [PlainFields.Of("message")], Array.ConvertAll(types, static type => new NodeId(type)), minSeverity);
        var verdict = EventSample.Compiler.Compile(filter);
        Assert.Equal(StatusCode.Good, verdict.Status);
        Assert.Null(verdict.Result);
        Assert.Equal(passes, PassesOf(verdict.Filter!));
    }

    [Fact]
    public void ByName_Types_AreThoseOfEventsThatOneMaySee()
    {
        var names = PlainTypes.ByName(EventSample.Nodes, static _ => true);
        Assert.Equal(new NodeId(BaseEvent), names["BaseEventType"]);
        Assert.Equal(new NodeId(Alarm), names["AlarmConditionType"]);
        Assert.False(names.ContainsKey("BaseObjectType"));
        var alarm = EventSample.Nodes.Find(new NodeId(Alarm));
        Assert.False(PlainTypes.ByName(EventSample.Nodes, type => type != alarm).ContainsKey("AlarmConditionType"));
    }

    /// <summary>R44: a walk for each change, not for each request.</summary>
    [Fact]
    public void Find_ManyTimes_WalksTheTypesOnceForEachChange()
    {
        var nodes = new NodeTable();
        StandardNodes.Load(nodes, new ValueStore(TimeProvider.System));
        var names = new PlainTypeNames(nodes, BaseEvent);
        var alarm = nodes.Find(new NodeId(Alarm));
        for (var i = 0; i < 100; i++)
        {
            Assert.Equal(alarm, names.Find("AlarmConditionType", static _ => true));
            Assert.Equal(alarm, names.Find("alarmconditiontype", static _ => true));
            Assert.True(names.Find("AlarmConditionType", type => type != alarm).IsNone);
            Assert.True(names.Find("PressAlarmType", static _ => true).IsNone);
        }

        Assert.Equal(1, names.Walks);
        var press = new NodeId("PressAlarmType", nodes.Namespaces.GetOrAdd("urn:press"));
        nodes.Apply(new NodeBatch()
            .AddNode(new NodeDefinition
            {
                NodeId = press,
                NodeClass = NodeClass.ObjectType,
                BrowseName = new QualifiedName("PressAlarmType", press.NamespaceIndex),
            })
            .AddReference(new NodeId(Alarm), new NodeId(StandardIds.ReferenceTypes.HasSubtype), press));
        Assert.Equal(nodes.Find(press), names.Find("PressAlarmType", static _ => true));
        Assert.Equal(nodes.Find(press), names.Find("pressAlarmType", static _ => true));
        Assert.Equal(2, names.Walks);
    }

    /// <summary>More than are kept of one name come before it.</summary>
    [Fact]
    public void Find_BehindManyThatDifferInCaseAlone_IsTheExactOne()
    {
        const string Name = "presstype";
        var nodes = new NodeTable();
        StandardNodes.Load(nodes, new ValueStore(TimeProvider.System));
        var ids = Enumerable.Range(1, 20).Select(i =>
            new NodeId($"type {i}", nodes.Namespaces.GetOrAdd("urn:press"))).ToArray();
        var batch = new NodeBatch();
        for (var i = 0; i < ids.Length; i++)
        {
            batch.AddNode(new NodeDefinition
            {
                NodeId = ids[i],
                NodeClass = NodeClass.ObjectType,
                BrowseName = new QualifiedName(i == ids.Length - 1 ? Name : "PressType", ids[i].NamespaceIndex),
            }).AddReference(new NodeId(BaseEvent), new NodeId(StandardIds.ReferenceTypes.HasSubtype), ids[i]);
        }

        nodes.Apply(batch);
        var names = new PlainTypeNames(nodes, BaseEvent);

        Assert.Equal(nodes.Find(ids[^1]), names.Find(Name, static _ => true));
        Assert.Equal(nodes.Find(ids[0]), names.Find("PressType", static _ => true));
        Assert.Equal(nodes.Find(ids[0]), names.Find("PRESSTYPE", static _ => true));
    }

    [Fact]
    public void Below_AType_IsItAndItsSubtypes()
    {
        var all = PlainTypes.Below(EventSample.Nodes, [EventSample.Nodes.Find(new NodeId(Alarm))]);
        Assert.Equal(new NodeId(Alarm), EventSample.Nodes.GetNodeId(all[0]));
        Assert.All(all, static type => Assert.True(
            EventSample.Nodes.IsSubtypeOf(EventSample.Nodes.GetNodeId(type), new NodeId(Alarm))));
        Assert.True(all.Count > 5);
    }

    private static bool PassesOf(CompiledFilter filter) =>
        filter.Passes(EventSample.MakePlain(), new Variant[filter.ElementCount]);
}
