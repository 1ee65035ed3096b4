using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Model;
using Gateway.Events.Tests.Support;

namespace Gateway.Events.Tests.Conditions;

/// <summary>Source: Part 9 §4.5, §5.5.2, §5.5.4, §5.5.5.</summary>
public sealed class ConditionTableTests
{
    [Fact]
    public void Disable_TellsItselfAndNothingElseUntilEnable()
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Report(false);
        bench.Report(true);
        bench.Told();
        Assert.Equal(2, bench.Table.Read(retainedOnly: true).Count);
        Assert.Equal(StatusCodes.BadConditionAlreadyEnabled, bench.Call(ConditionAct.Enable).Code);
        Assert.Equal(StatusCode.Good, bench.Call(ConditionAct.Disable));
        Assert.Equal(StatusCodes.BadConditionAlreadyDisabled, bench.Call(ConditionAct.Disable).Code);
        Assert.Single(bench.Told());
        Assert.Empty(Retained(bench));
        Assert.Empty(bench.Table.Read(retainedOnly: true));
        bench.Report(false);
        Assert.Empty(bench.Told());

        Assert.Equal(StatusCode.Good, bench.Call(ConditionAct.Enable));

        Assert.Equal(["0 FFTT", "1 FFTT"], bench.Told());
        Assert.Equal(2, Retained(bench).Count);
    }

    [Theory]
    [InlineData(ConditionAct.AddComment)]
    [InlineData(ConditionAct.Acknowledge)]
    [InlineData(ConditionAct.Confirm)]
    [InlineData(ConditionAct.TimedShelve)]
    [InlineData(ConditionAct.OneShotShelve)]
    [InlineData(ConditionAct.Unshelve)]
    [InlineData(ConditionAct.Suppress)]
    [InlineData(ConditionAct.Unsuppress)]
    [InlineData(ConditionAct.RemoveFromService)]
    [InlineData(ConditionAct.PlaceInService)]
    public void Call_Disabled_IsRefused(ConditionAct act)
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Told();
        bench.Call(ConditionAct.Disable);
        Assert.Equal(StatusCodes.BadConditionDisabled, bench.Call(act, bench.EventIds[0], time: 1000).Code);
    }

    /// <summary>All but the few fields that a disabled condition has.</summary>
    [Fact]
    public void Fill_Disabled_HasBadConditionDisabledInPlace()
    {
        var layout = ConditionLayouts.SystemOffNormal;
        var values = ConditionLayouts.Fill(MomentOf(isEnabled: false));
        string[] always =
        [
            "EventId", "EventType", "SourceNode", "SourceName", "Time", "Retain", "EnabledState", "EnabledState/Id",
            "EnabledState/TransitionTime", "EnabledState/EffectiveDisplayName",
        ];
        for (var slot = 1; slot < values.Length; slot++)
        {
            var isDisabled = values[slot] == new Variant(new StatusCode(StatusCodes.BadConditionDisabled));
            Assert.Equal(!always.Contains(layout.Fields[slot].Path.ToString()), isDisabled);
        }

        Assert.Equal(ConditionBench.Alarm, values[layout.SlotOf(FieldPath.ConditionId)].AsNodeId());
        Assert.Equal("Disabled", values[layout.SlotOf(FieldPath.Of("EnabledState"))].AsLocalizedText().Text);
    }

    /// <summary>A filter trusts the type that a layout names.</summary>
    [Fact]
    public void Fill_Enabled_HasTheTypesOfTheLayout()
    {
        var layout = ConditionLayouts.SystemOffNormal;
        var values = ConditionLayouts.Fill(MomentOf(isEnabled: true));
        Assert.Equal(layout.Fields.Count, values.Length);
        for (var slot = 0; slot < values.Length; slot++)
            Assert.True(
                values[slot].IsNull || values[slot].Type == layout.Fields[slot].Type,
                layout.Fields[slot].Path.ToString());
    }

    [Fact]
    public void Refresh_KeepsTheEventIdOfTheNotification()
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Told();
        var record = Assert.Single(Retained(bench));
        Assert.Equal(
            bench.EventIds[0], record.Values[record.Layout.SlotOf(FieldPath.Of("EventId"))].AsByteString());
        Assert.Same(record, Assert.Single(Retained(bench)));
    }

    [Fact]
    public void Report_NobodyWatches_RaisesNothingAndKeepsTheState()
    {
        using var bench = new ConditionBench(watches: false);
        bench.Report(true);
        Assert.Equal(0, bench.Hub.Raised);
        Assert.Single(Retained(bench));
    }

    [Fact]
    public void Report_Full_WhatIsOverMakesRoomAndNothingElse()
    {
        using var bench = new ConditionBench(limits: new ConditionLimits { MaxConditions = 2 });
        Assert.True(ReportOther(bench, 1, true));
        Assert.True(ReportOther(bench, 2, true));
        Assert.False(ReportOther(bench, 3, true));
        Assert.Equal(1, bench.Table.Refused);
        ReportOther(bench, 2, false);
        // It is not acknowledged yet.
        Assert.False(ReportOther(bench, 3, true));
        var second = bench.Table.Read(retainedOnly: true).Single(static one => !one.Active.Id);
        bench.Table.Call(
            second.ConditionId, new ConditionCall(ConditionAct.Acknowledge, null) { EventId = second.EventId });
        Assert.True(ReportOther(bench, 3, true));
        Assert.Equal(2, bench.Table.Count);
    }

    [Fact]
    public void ReadHistory_MoreThanTheLimit_TheOldestGo()
    {
        using var bench = new ConditionBench(limits: new ConditionLimits { MaxConditionHistory = 3 });
        for (var i = 0; i < 4; i++)
            bench.Report(i % 2 == 0);
        // The third one has left a branch behind.
        Assert.Equal(
            [(false, true), (true, true), (false, false)],
            bench.Table.ReadHistory().Select(static one => (one.Active.Id, one.BranchId.IsNull)));
    }

    [Fact]
    public void Call_TwoAcknowledgeAtOnce_OneWins()
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Told();
        var id = bench.EventIds[0];
        var results = new StatusCode[8];
        Parallel.For(0, results.Length, i => results[i] = bench.Call(ConditionAct.Acknowledge, id));
        Assert.Single(results, static one => one.IsGood);
        Assert.All(
            results.Where(static one => one.IsBad),
            static one => Assert.Equal(StatusCodes.BadConditionBranchAlreadyAcked, one.Code));
        Assert.Single(bench.Told());
    }

    [Fact]
    public void Call_EventIdOfAnotherAlarm_AnswersNeither()
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        ReportOther(bench, 1, true);
        var other = bench.Table.Read(retainedOnly: true).Single(static one => one.ConditionId != ConditionBench.Alarm);
        Assert.Equal(StatusCodes.BadEventIdUnknown, bench.Call(ConditionAct.Acknowledge, other.EventId).Code);
        Assert.All(bench.Table.Read(retainedOnly: true), static one => Assert.False(one.IsAcked));
    }

    private static ConditionMoment MomentOf(bool isEnabled)
    {
        using var bench = new ConditionBench();
        return new ConditionMoment(
            bench.Definition, new ConditionState { Enabled = new TwoState(isEnabled, default) }, NodeId.Null, 0, 0);
    }

    private static List<EventRecord> Retained(ConditionBench bench)
    {
        var records = new List<EventRecord>();
        var next = 0;
        while (bench.Table.TryReadRetained(ref next, out var record, out _))
        {
            if (record is not null)
                records.Add(record);
        }

        return records;
    }

    private static bool ReportOther(ConditionBench bench, int number, bool isActive) => bench.Table.Report(
        bench.Definition with { ConditionId = new NodeId($"Alarms/{number}", 1) }, isActive, 500, "off");
}
