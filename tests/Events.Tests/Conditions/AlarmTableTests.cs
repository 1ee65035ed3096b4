using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Tests.Support;

namespace Gateway.Events.Tests.Conditions;

/// <summary>The examples of Part 9 Annex B, a row a step: what happens, and the events that tell of it, as branch and
/// Active, Acked, Confirmed, Retain.</summary>
public sealed class AlarmTableTests
{
    /// <summary>Each row of Table B.1, of a server that asks for a confirmation. Source: Part 9 Annex B.1.2.</summary>
    [Fact]
    public void PresentStateOnly_EachRow_IsTold()
    {
        using var bench = new ConditionBench(wantsConfirmation: true);
        Assert.Empty(bench.Table.Read(retainedOnly: true));
        Row(bench, "active", "0 TFTT");
        Row(bench, "ack 0", "0 TTFT");
        Row(bench, "inactive", "0 FTFT");
        Row(bench, "confirm 0", "0 FTTF");
        Row(bench, "active", "0 TFTT");
        Row(bench, "inactive", "0 FFTT");
        Row(bench, "ack 0", "0 FTFT");
        Row(bench, "confirm 0", "0 FTTF");
    }

    /// <summary>In the example of the standard the branch is there as soon as the alarm goes inactive. Here the present
    /// state waits for its acknowledgement, as in Annex B.1.2, until the alarm is active anew: an alarm that is over is
    /// one row of a client's list, not two. Source: Part 9 §4.4; compare Annex B.1.3.</summary>
    [Fact]
    public void Branches_EachRow_IsTold()
    {
        using var bench = new ConditionBench(wantsConfirmation: true);
        Row(bench, "active", "0 TFTT");
        Row(bench, "ack 0", "0 TTFT");
        Row(bench, "confirm 0", "0 TTTT");
        Row(bench, "inactive", "0 FTTF");
        Row(bench, "active", "0 TFTT");
        Row(bench, "inactive", "0 FFTT");
        Row(bench, "active", "1 FFTT", "0 TFTT");
        Row(bench, "ack 1", "1 FTFT");
        Row(bench, "inactive", "0 FFTT");
        Row(bench, "active", "2 FFTT", "0 TFTT");
        Row(bench, "confirm 1", "1 FTTF");
        Row(bench, "ack 2", "2 FTFT");
        Row(bench, "inactive", "0 FFTT");
        Row(bench, "confirm 2", "2 FTTF");
        Row(bench, "ack 0", "0 FTFT");
        Row(bench, "confirm 0", "0 FTTF");
        Assert.Empty(bench.Table.Read(retainedOnly: true));
    }

    [Fact]
    public void LastBranch_OfAnAlarmThatIsOver_TakesThePresentStateAlong()
    {
        using var bench = new ConditionBench();
        Row(bench, "active", "0 TFTT");
        Row(bench, "inactive", "0 FFTT");
        Row(bench, "active", "1 FFTT", "0 TFTT");
        Row(bench, "ack 0", "0 TTTT");
        // The branch is retained, and so is the present state, which is of no interest by itself.
        Row(bench, "inactive", "0 FTTT");
        Assert.Equal(2, bench.Table.Read(retainedOnly: true).Count);
        Row(bench, "ack 1", "1 FTTF", "0 FTTF");
    }

    /// <summary>Source: Part 9 §5.7.3, §5.7.4, §5.13.</summary>
    [Theory]
    [InlineData(ConditionAct.Acknowledge, StatusCodes.BadConditionBranchAlreadyAcked)]
    [InlineData(ConditionAct.Confirm, StatusCodes.BadConditionBranchAlreadyConfirmed)]
    [InlineData(ConditionAct.AddComment, StatusCodes.Good)]
    public void Answer_SecondTime_HasItsCode(ConditionAct act, uint expected)
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Told();
        var first = bench.EventIds[0];
        Assert.Equal(StatusCode.Good, bench.Call(ConditionAct.Acknowledge, first));
        Assert.Equal(expected, bench.Call(act, first).Code);
        bench.Told();
        Assert.Equal(expected, bench.Call(act, bench.EventIds[0]).Code);
    }

    [Fact]
    public void Answer_UnknownEventId_IsRefusedAndTellsNothing()
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Told();
        foreach (var act in new[] { ConditionAct.Acknowledge, ConditionAct.Confirm, ConditionAct.AddComment })
        {
            Assert.Equal(StatusCodes.BadEventIdUnknown, bench.Call(act, [1, 2, 3]).Code);
            Assert.Equal(StatusCodes.BadEventIdUnknown, bench.Call(act, []).Code);
        }

        Assert.Empty(bench.Told());
        Assert.Equal(StatusCodes.BadNodeIdUnknown, bench.Table.Call(
            new NodeId("other", 1), new ConditionCall(ConditionAct.Enable, null)).Code);
    }

    [Fact]
    public void Acknowledge_EventOfAnEarlierState_LeavesThePresentOneAlone()
    {
        using var bench = new ConditionBench();
        bench.Report(true);
        bench.Told();
        var earlier = bench.EventIds[0];
        bench.Report(false);
        bench.Report(true);
        bench.Told();
        Assert.Equal(StatusCode.Good, bench.Call(ConditionAct.Acknowledge, earlier));
        Assert.Equal(["1 FTTF"], bench.Told());
        Assert.False(bench.Current.IsAcked);
        Assert.Equal(StatusCodes.BadEventIdUnknown, bench.Call(ConditionAct.Acknowledge, earlier).Code);
    }

    [Fact]
    public void Report_Worse_NeedsAnotherAcknowledgementAndBetterDoesNot()
    {
        using var bench = new ConditionBench();
        bench.Report(true, 400);
        bench.Told();
        bench.Call(ConditionAct.Acknowledge, bench.EventIds[0]);
        Assert.Equal(["0 TTTT"], bench.Told());
        bench.Report(true, 700);
        Assert.Equal(["0 TFTT"], bench.Told());
        Assert.Equal(400, bench.Current.LastSeverity);
        bench.Call(ConditionAct.Acknowledge, bench.EventIds[0]);
        bench.Told();
        bench.Report(true, 400);
        Assert.Equal(["0 TTTT"], bench.Told());
        bench.Report(true, 400, "the same in other words");
        Assert.Empty(bench.Told());
    }

    [Fact]
    public void Branches_BeyondTheLimit_AreAnsweredWithThePresentState()
    {
        using var bench = new ConditionBench(limits: new ConditionLimits { MaxBranchesPerCondition = 1 });
        bench.Report(true);
        bench.Report(false);
        bench.Report(true);
        bench.Told();
        var earlier = bench.EventIds[0];
        bench.Report(false);
        bench.Report(true);
        Assert.Equal(["0 FFTT", "0 TFTT"], bench.Told());
        Assert.Equal(StatusCode.Good, bench.Call(ConditionAct.Acknowledge, earlier));
        Assert.True(bench.Current.IsAcked);
    }

    [Fact]
    public void Comment_NullEmptyAndTooLong_StaysGoesAndIsRefused()
    {
        using var bench = new ConditionBench(limits: new ConditionLimits { MaxConditionCommentBytes = 8 });
        bench.Report(true);
        bench.Told();
        var id = bench.EventIds[0];
        Assert.Equal(StatusCode.Good, bench.Call(ConditionAct.AddComment, id, new LocalizedText("seen", "en")));
        Assert.Equal("seen", bench.Field("Comment").AsLocalizedText().Text);
        Assert.Equal("anna", bench.Field("ClientUserId").AsString());
        Assert.Equal("off", bench.Field("Message").AsLocalizedText().Text);
        bench.Call(ConditionAct.Acknowledge, id);
        Assert.Equal("seen", bench.Field("Comment").AsLocalizedText().Text);
        Assert.Equal(
            StatusCodes.BadInvalidArgument,
            bench.Call(ConditionAct.AddComment, id, new LocalizedText("äöüäö")).Code);
        Assert.Equal(StatusCode.Good, bench.Call(ConditionAct.AddComment, id, new LocalizedText("", "en")));
        Assert.Equal("", bench.Field("Comment").AsLocalizedText().Text);
    }

    private static void Row(ConditionBench bench, string step, params string[] told)
    {
        var (act, branch) = (step.Split(' ')[0], step.Split(' ').ElementAtOrDefault(1));
        if (branch is null)
            bench.Report(act == "active");
        else
            Assert.Equal(StatusCode.Good, bench.Call(
                act == "ack" ? ConditionAct.Acknowledge : ConditionAct.Confirm,
                bench.EventIds[int.Parse(branch, System.Globalization.CultureInfo.InvariantCulture)]));
        Assert.Equal(told, bench.Told());
    }
}
