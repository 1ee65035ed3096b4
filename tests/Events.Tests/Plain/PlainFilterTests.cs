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
