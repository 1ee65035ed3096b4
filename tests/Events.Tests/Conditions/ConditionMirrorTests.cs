using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Events.Tests.Support;

namespace Gateway.Events.Tests.Conditions;

/// <summary>Conditions of upstreams: what is kept of their events, and what is told of them. Source: Part 9 §4.5,
/// §5.5.2.</summary>
public sealed class ConditionMirrorTests
{
    private static readonly NodeId Acknowledge = new(9111);

    [Fact]
    public void Take_RetainedThenOver_RefreshHasItWithItsEventIdUntilThen()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("hot", 1));
        Assert.Equal(["hot 1"], bench.Retained());
        Assert.Equal(1, bench.Conditions.CountActive(601, 800));
        bench.Take(bench.Make("hot", 2, retain: false, isActive: false));
        Assert.Empty(bench.Retained());
        Assert.Equal(0, bench.Conditions.CountActive(601, 800));
        Assert.Equal([1, 2], bench.Told().Select(static one => one[0].AsByteString()![0]));
        Assert.Equal([false, true], bench.Conditions.ReadHistory().Select(static one => one.Retain));
    }

    [Fact]
    public void Take_SameNotificationAgain_IsToldOnce()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("hot", 1));
        bench.Take(bench.Make("hot", 1));
        Assert.Single(bench.Told());
        Assert.Equal(1, bench.Mirror.Repeated);
    }

    /// <summary>An upstream that uses one EventId again: what it says counts.</summary>
    [Fact]
    public void Take_EventIdOfBeforeWithAnotherState_IsToldAndKept()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("first", 1));
        bench.Take(bench.Make("second", 1));
        bench.Take(bench.Make("first", 1, isActive: false));
        Assert.Equal([true, true, false], bench.Told().Select(static one => one[2].AsBoolean()));
        Assert.Equal(
            ["first", "second"], bench.Conditions.Read(retainedOnly: true).Select(static one => one.ConditionName));
    }

    [Fact]
    public void EndRefresh_OneIsNotHeardOf_OnlyThatOneIsToldAsGone()
    {
        using var bench = new MirrorBench();
        foreach (var (name, id) in new[] { ("a", (byte)1), ("b", (byte)2), ("c", (byte)3) })
            bench.Take(bench.Make(name, id));
        bench.Told();
        bench.Mirror.BeginRefresh();
        bench.Take(bench.Make("a", 1));
        bench.Take(bench.Make("c", 4));
        Assert.Equal(1, bench.Mirror.EndRefresh());
        Assert.Equal(["a 1", "c 4"], bench.Retained());
        var told = bench.Told();
        Assert.Equal(["c", "b"], told.Select(static one => one[1].AsString()));
        var gone = told[1];
        Assert.Equal((false, false), (gone[2].AsBoolean(), gone[3].AsBoolean()));
        Assert.Equal(StatusCodes.Uncertain, gone[4].AsStatusCode().Code);
        // The upstream has never had this one.
        Assert.Equal(16, gone[0].AsByteString()!.Length);
        Assert.Contains("No longer there", gone[6].AsLocalizedText().Text);
    }

    [Fact]
    public void Take_MoreThanTheLimit_IdleOnesMakeRoomAndTheRestIsToldAllTheSame()
    {
        using var bench = new MirrorBench(maxConditions: 2);
        bench.Take(bench.Make("idle", 1, retain: false));
        bench.Take(bench.Make("a", 2));
        bench.Take(bench.Make("b", 3));
        bench.Take(bench.Make("c", 4));
        Assert.Equal((2, 1), (bench.Mirror.Count, bench.Mirror.Refused));
        Assert.Equal(["a 2", "b 3"], bench.Retained());
        Assert.Equal(4, bench.Told().Count);
        bench.Take(bench.Make("a", 5, retain: false));
        bench.Take(bench.Make("c", 6));
        Assert.Equal(["b 3", "c 6"], bench.Retained().Order());
    }

    [Fact]
    public void Take_MoreBytesThanTheLimit_IsRefused()
    {
        using var bench = new MirrorBench(maxBytes: 250);
        foreach (var name in new[] { "a", "b", "c" })
            bench.Take(bench.Make(name, 1));
        Assert.Equal((2, 1), (bench.Mirror.Count, bench.Mirror.Refused));
    }

    [Fact]
    public void Take_OneGrowsBeyondTheLimit_IdleOnesMakeRoomAndThenItIsNotKept()
    {
        using var bench = new MirrorBench(maxBytes: 250);
        bench.Take(bench.Make("idle", 1, retain: false));
        bench.Take(bench.Make("a", 2));
        bench.Take(bench.Make("a", 3), 200);
        Assert.Equal((1, 0), (bench.Mirror.Count, bench.Mirror.Refused));
        bench.Take(bench.Make("a", 4), 300);
        Assert.Equal((0, 1), (bench.Mirror.Count, bench.Mirror.Refused));
        Assert.Equal(4, bench.Told().Count);
    }

    /// <summary>A reload that allows fewer takes none away that is of interest.</summary>
    [Fact]
    public void Take_OneGrowsWhereTheLimitWasLowered_IsKept()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("a", 1));
        bench.Take(bench.Make("b", 2));
        bench.MaxConditions = 1;
        bench.Take(bench.Make("a", 3), 200);
        Assert.Equal((2, 0), (bench.Mirror.Count, bench.Mirror.Refused));
    }

    [Fact]
    public void Take_BranchIsDoneWith_LeavesTheTable()
    {
        using var bench = new MirrorBench();
        var branch = new NodeId("branch", 1);
        bench.Take(bench.Make("a", 1));
        bench.Take(bench.Make("a", 2, branch: branch));
        Assert.Equal(2, bench.Mirror.Count);
        bench.Take(bench.Make("a", 3, retain: false, branch: branch));
        Assert.Equal(1, bench.Mirror.Count);
        Assert.Equal(["a 1"], bench.Retained());
    }

    [Fact]
    public async Task Call_NotificationBeforeOrBehindTheAnswer_HasTheCallersName()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("before", 1));
        bench.Take(bench.Make("behind", 2));
        bench.Told();
        bench.Answer = call =>
        {
            if (call.EventId is [1])
                bench.Take(bench.Make("before", 3, isAcked: true, comment: "seen"));
            return StatusCode.Good;
        };
        await CallAsync(bench, "before", 1, "anna", "seen");
        await CallAsync(bench, "behind", 2, "ben", null);
        bench.Take(bench.Make("behind", 4, isAcked: true));
        Assert.Equal(["anna", "ben"], bench.Told().Select(static one => one[5].AsString()));
        // The comment is hers as long as nobody comments again.
        bench.Take(bench.Make("before", 5, isActive: false, isAcked: true, comment: "seen"));
        bench.Take(bench.Make("before", 6, isActive: false, isAcked: true, comment: "other", user: "local"));
        Assert.Equal(["anna", "local"], bench.Told().Select(static one => one[5].AsString()));
    }

    [Fact]
    public async Task Call_RefusedByTheUpstream_NameOfNobody()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("a", 1));
        bench.Answer = static _ => StatusCodes.BadConditionBranchAlreadyAcked;
        Assert.Equal(StatusCodes.BadConditionBranchAlreadyAcked, (await CallAsync(bench, "a", 1, "anna", null)).Code);
        bench.Told();
        bench.Take(bench.Make("a", 2, isAcked: true));
        Assert.Equal("gateway", bench.Told().Single()[5].AsString());
    }

    /// <summary>Answers whose notifications never come are compared with each event.</summary>
    [Fact]
    public async Task Call_ManyWithoutTheirNotification_TheOldestIsForgotten()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("first", 1));
        bench.Take(bench.Make("others", 2));
        await CallAsync(bench, "first", 1, "anna", "seen");
        for (var i = 0; i < 999; i++)
            await CallAsync(bench, "others", 2, "ben", "x");
        bench.Told();
        bench.Take(bench.Make("first", 3, isAcked: true, comment: "seen"));
        Assert.Equal("anna", bench.Told().Single()[5].AsString());

        await CallAsync(bench, "first", 3, "anna", "again");
        for (var i = 0; i < 1_000; i++)
            await CallAsync(bench, "others", 2, "ben", "x");
        bench.Take(bench.Make("first", 4, isAcked: true, comment: "again"));
        Assert.Equal("gateway", bench.Told().Single()[5].AsString());
    }

    [Fact]
    public async Task Call_TwoAtOnceWithoutComments_NobodyIsNamedWrongly()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("a", 1));
        var isFirst = true;
        bench.Answer = call =>
        {
            if (!isFirst)
                return StatusCodes.BadConditionBranchAlreadyAcked;
            isFirst = false;
            var second = CallAsync(bench, "a", 1, "ben", null);
            Assert.True(second.IsCompleted);
            return StatusCode.Good;
        };
        await CallAsync(bench, "a", 1, "anna", null);
        bench.Told();
        bench.Take(bench.Make("a", 2, isAcked: true));
        Assert.Equal("anna", bench.Told().Single()[5].AsString());
    }

    [Fact]
    public void Find_TwoUpstreamsWithOneId_GoesByTheEventId()
    {
        using var bench = new MirrorBench();
        var other = bench.Conditions.Open(bench.Add("Other"), bench, bench.Limits);
        bench.Take(bench.Make("same", 1));
        other.Take(bench.Make("same", 2), 100);
        Assert.Same(bench.Mirror, bench.Conditions.Find(new NodeId("same", 1), [1])!.Value.Mirror);
        Assert.Same(other, bench.Conditions.Find(new NodeId("same", 1), [2])!.Value.Mirror);
        Assert.Same(bench.Mirror, bench.Conditions.Find(new NodeId("same", 1), [3])!.Value.Mirror);
        Assert.Null(bench.Conditions.Find(new NodeId("none", 1), []));
        Assert.Equal(2, bench.Retained().Count);
    }

    [Fact]
    public void Dispose_UpstreamDoesNotComeBack_ItsConditionsAreToldAsOver()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("a", 1));
        bench.Told();
        bench.Mirror.Dispose();
        Assert.False(bench.Told().Single()[3].AsBoolean());
        Assert.Empty(bench.Retained());
        Assert.Null(bench.Conditions.Find(new NodeId("a", 1), []));
    }

    /// <summary>R36: rules of a namespace hold for nodes that are not here, too.</summary>
    [Fact]
    public void Read_SourceIsNoNodeOfANamespaceWithRules_NobodySeesIt()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("a", 1, source: new NodeId("elsewhere", 1)));
        Assert.Equal(["a 1"], bench.Retained());
        bench.Nodes.SetDefaultRule(1, new AccessRule([], AccessRestrictionType.EncryptionRequired));
        Assert.Empty(bench.Retained());
        Assert.Empty(bench.Conditions.Read(retainedOnly: true));
        Assert.Empty(bench.Conditions.ReadHistory());
        Assert.True(bench.Conditions.Find(new NodeId("a", 1), [])!.Value.Source.IsNone);
    }

    /// <summary>R36: the source of then has gone, and with it what said who may see it. The end of what was seen goes
    /// by the rule of the node that is gone.</summary>
    [Fact]
    public void Tell_SourceOfANamespaceWithRulesHasGone_NobodyHearsMore()
    {
        using var bench = new MirrorBench();
        var pump = bench.Add("Pump");
        bench.Take(bench.Make("a", 1, source: pump));
        Assert.Single(bench.Told());
        bench.Nodes.SetDefaultRule(1, new AccessRule([], AccessRestrictionType.EncryptionRequired));
        var node = bench.Nodes.Find(pump);
        bench.Nodes.Apply(new NodeBatch().Remove(node));

        Assert.False(bench.Mirror.TellAway(10));
        var end = Assert.Single(bench.Told());
        Assert.False(end[3].AsBoolean());
        Assert.Equal(StatusCode.Good, end[4].AsStatusCode());
        Assert.Equal((node, ShownMark.EndsShown), bench.Last);
        bench.Mirror.BeginRefresh();
        Assert.Equal(1, bench.Mirror.EndRefresh());

        Assert.Empty(bench.Told());
    }

    /// <summary>The record of before was that of the upstream's object; now the source decides.</summary>
    [Fact]
    public void Read_SourceCameLater_GoesByIt()
    {
        using var bench = new MirrorBench();
        bench.Take(bench.Make("a", 1, source: new NodeId("Pump", 1)));
        var pump = bench.Add("Pump");
        var next = 0;
        Assert.True(bench.Conditions.TryReadRetained(ref next, out var record, out _));
        Assert.Equal(bench.Nodes.Find(pump), record!.Source);
        Assert.Equal(pump, bench.Conditions.Read(retainedOnly: true).Single().Source);
    }

    [Fact]
    public void Take_ItemOnTheUpstreamsObject_HasItWithoutAReference()
    {
        using var bench = new MirrorBench(notifier: new NodeId("Press", 1));
        bench.Take(bench.Make("a", 1, source: bench.Add("Pump")));
        Assert.Single(bench.Told());
    }

    private static async Task<StatusCode> CallAsync(
        MirrorBench bench, string name, byte eventId, string user, string? comment)
    {
        var id = new NodeId(name, 1);
        Variant[] inputs = [Variant.FromByteString([eventId]), new Variant(new LocalizedText(comment))];
        var target = bench.Conditions.Find(id, [eventId])!.Value;
        var call = new ForwardedCall(id, Acknowledge, inputs, user, user ?? "");
        return (await target.CallAsync(call, default)).StatusCode;
    }

    /// <summary>As of the gateway's own conditions: those who have the alarm in their list get its end, with what they
    /// have seen of it; nothing of later comes to anybody.</summary>
    [Fact]
    public void Take_SourceHasGoneBehindRules_EndsOnceForThoseWhoHadIt()
    {
        using var bench = new MirrorBench();
        var space = bench.Nodes.Namespaces.GetOrAdd("urn:guarded");
        var source = new NodeId("Pump", space);
        bench.Nodes.SetDefaultRule(space, new AccessRule([new RolePermissionType()], null));
        bench.Nodes.Apply(new NodeBatch().AddObject(
            source, new QualifiedName("Pump"), new NodeId(StandardIds.Objects.ObjectsFolder)));
        var node = bench.Nodes.Find(source);
        bench.Take(bench.Make("hot", 1, source: source));
        Assert.True(Assert.Single(bench.Told())[3].AsBoolean());
        bench.Nodes.Apply(new NodeBatch().Remove(node));

        bench.Take(bench.Make("hot", 2, source: source, comment: "a secret", isActive: false));
        var end = Assert.Single(bench.Told());
        Assert.False(end[3].AsBoolean());
        Assert.True(end[2].AsBoolean());
        Assert.NotEqual([1], end[0].AsByteString());
        Assert.Equal((node, ShownMark.EndsShown), bench.Last);

        bench.Take(bench.Make("hot", 3, source: source));
        bench.Take(bench.Make("hot", 4, source: source, retain: false));
        Assert.Empty(bench.Told());
    }
}
