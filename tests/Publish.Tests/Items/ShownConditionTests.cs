using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Publish.Items;
using Gateway.Testing;

namespace Gateway.Publish.Tests.Items;

/// <summary>A condition that stops to pass the filter ends for the items that have shown it as retained, and for no
/// others. Source: Part 9 §5.5.2 (SupportsFilteredRetain).</summary>
public sealed class ShownConditionTests : RefreshTest
{
    [Fact]
    public void Change_PassesNoLonger_EndsOnceForTheItemThatHasShownIt()
    {
        var early = Watch(_client, _subscription, above: 300);
        Report(1);
        Assert.Equal(["1 True"], Shown(_client));
        Watch(_other, _other.Subscribe(), above: 300);
        Report(1, severity: 200);
        Assert.Equal(["1 False"], Shown(_client));
        Assert.Empty(Shown(_other));
        Report(1, severity: 100);
        Assert.Empty(Shown(_client));
        Report(1, severity: 400);
        Assert.Equal(["1 True"], Shown(_client));
        Assert.Equal(["1 True"], Shown(_other));
        Assert.Equal(StatusCode.Good, _client.DeleteItem(_subscription, early));
    }

    [Fact]
    public void Change_ItemHasItOfARefresh_Ends()
    {
        Report(1);
        Watch(_client, _subscription, above: 300);
        Refresh(_client);
        Assert.Equal(["start", "1 True", "end"], Shown(_client));
        Report(1, severity: 200);
        Assert.Equal(["1 False"], Shown(_client));
    }

    /// <summary>The client drops what a refresh does not bring.</summary>
    [Fact]
    public void Change_RefreshDidNotBringIt_IsNotTold()
    {
        var item = Watch(_client, _subscription, above: 300);
        Report(1);
        Modify(item, above: 600);
        Refresh(_client);
        Assert.Equal(["1 True", "start", "end"], Shown(_client));
        Report(1, severity: 400);
        Assert.Empty(Shown(_client));
    }

    [Fact]
    public void Modify_ShownBeforeAndPassesNoLonger_EndsWithItsNextChange()
    {
        var item = Watch(_client, _subscription, above: 300);
        Report(1);
        Assert.Equal(["1 True"], Shown(_client));
        Modify(item, above: 600);
        Assert.Empty(Shown(_client));
        Report(1, severity: 450);
        Assert.Equal(["1 False"], Shown(_client));
        Report(1, severity: 440);
        Assert.Empty(Shown(_client));
    }

    /// <summary>It would have passed the new filter, but the item has never told of it.</summary>
    [Fact]
    public void Modify_NeverShown_IsNotTold()
    {
        var item = Watch(_client, _subscription, above: 300);
        Report(1, severity: 200);
        Modify(item, above: 100);
        Report(1, severity: 50);
        Assert.Empty(Shown(_client));
    }

    /// <summary>Two changes of the filter, the second back to the first one.</summary>
    [Fact]
    public void Modify_Twice_EndsAllTheSame()
    {
        var item = Watch(_client, _subscription, above: 300);
        Report(1);
        Report(2);
        Assert.Equal(["1 True", "2 True"], Shown(_client));
        Modify(item, above: 600);
        Report(1, severity: 450);
        Modify(item, above: 300);
        Report(2, severity: 200);
        Assert.Equal(["1 False", "2 False"], Shown(_client));
        Report(1, severity: 100);
        Assert.Empty(Shown(_client));
    }

    /// <summary>What changed meanwhile is unknown: the client refreshes.</summary>
    [Fact]
    public void Disabled_AndEnabledAgain_RemembersNothing()
    {
        var item = Watch(_client, _subscription, above: 300);
        Report(1);
        Assert.Equal(["1 True"], Shown(_client));
        SetMode(item, MonitoringMode.Disabled);
        SetMode(item, MonitoringMode.Reporting);
        Report(1, severity: 200);
        Assert.Empty(Shown(_client));
    }

    /// <summary>The place of one that is over goes to the next one.</summary>
    [Fact]
    public void Over_AnotherTakesItsPlace_IsNotTaken()
    {
        Watch(_client, _subscription, above: 300);
        Report(1);
        Report(1, isActive: false);
        Acknowledge(1);
        Assert.Equal(["1 True", "1 True", "1 False"], Shown(_client));
        Report(2, severity: 200);
        Report(2, severity: 100);
        Assert.Empty(Shown(_client));
        Report(3);
        Report(3, severity: 100);
        Assert.Equal(["3 True", "3 False"], Shown(_client));
    }

    /// <summary>A branch has no event of its own when its condition is disabled: its place stays its own.</summary>
    [Fact]
    public void Disable_WithABranch_GivesItsPlaceToNoOther()
    {
        Watch(_client, _subscription, above: 300);
        Report(1);
        Report(1, isActive: false);
        Report(1);
        Assert.Equal(4, Shown(_client).Count);
        Assert.Equal(
            StatusCode.Good,
            _plant.Engine.Conditions.Call(new NodeId(1u, 1), new ConditionCall(ConditionAct.Disable, null)));
        Shown(_client);
        Report(2, severity: 200);
        Report(3, severity: 200);
        Report(2, severity: 100);
        Report(3, severity: 100);
        Assert.Empty(Shown(_client));
    }

    /// <summary>A user who may not have the event any more is not told of the end either.</summary>
    [Fact]
    public void Change_UserMayNoLongerHaveIt_IsNotTold()
    {
        Report(1, source: new NodeId(Upstream, 1));
        Restrict();
        Watch(_client, _subscription, above: 300);
        Refresh(_client);
        Assert.Equal(["start", "1 True", "end"], Shown(_client));
        _client.NoEvents.Add(_plant.Handle(Upstream));
        Report(1, severity: 200, source: new NodeId(Upstream, 1));
        Assert.Empty(Shown(_client));
    }

    [Fact]
    public void Note_EachMark_SaysWhetherTheItemGetsTheEvent()
    {
        var shown = new ShownConditions();
        Assert.False(shown.Note(700, ShownMark.EndsShown));
        Assert.True(shown.Note(700, ShownMark.Shows));
        Assert.True(shown.Note(700, ShownMark.Shows));
        Assert.Equal(1, shown.Count);
        Assert.False(shown.Note(699, ShownMark.EndsShown));
        Assert.True(shown.Note(700, ShownMark.EndsShown));
        Assert.False(shown.Note(700, ShownMark.EndsShown));
        Assert.True(shown.Note(3, ShownMark.Ends));
        Assert.Equal(0, shown.Count);
        Assert.False(shown.Note(-1, ShownMark.EndsShown));
        Assert.True(shown.Note(-1, ShownMark.None));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Note_ABurstIsOver_GivesItsMemoryBackAndKnowsTheRest(int order)
    {
        const int Burst = 10_000, Left = 5;
        var over = Enumerable.Range(Left, Burst - Left).ToArray();
        if (order == 1)
            Array.Reverse(over);
        else if (order == 2)
            new Random(18).Shuffle(over);
        var shown = new ShownConditions();
        for (var place = 0; place < Burst; place++)
            shown.Note(place, ShownMark.Shows);
        Assert.True(shown.Capacity >= Burst);

        foreach (var place in over)
            Assert.True(shown.Note(place, ShownMark.EndsShown));

        Assert.InRange(shown.Capacity, Left, 1_024);
        Assert.Equal(Left, shown.Count);
        Assert.True(shown.Note(Left - 1, ShownMark.EndsShown));
        Assert.False(shown.Note(Burst - 1, ShownMark.EndsShown));
    }

    /// <summary>One alarm that comes and goes at a high place makes nothing anew.</summary>
    [Fact]
    public void Note_OneThatComesAndGoes_AllocatesNothing()
    {
        var shown = new ShownConditions();
        for (var place = 0; place < 10_000; place++)
            shown.Note(place, ShownMark.Shows);
        for (var place = 0; place < 10_000; place++)
            shown.Note(place, ShownMark.Ends);
        Assert.Equal(0, Allocations.OfThousand(() =>
        {
            shown.Note(9_999, ShownMark.Shows);
            shown.Note(9_999, ShownMark.Ends);
        }));
    }

    /// <summary>So that those of after a burst need little memory.</summary>
    [Fact]
    public void Take_SomeAreFree_GivesTheSmallest()
    {
        var places = new ConditionPlaces();
        for (var i = 0; i < 100; i++)
            Assert.Equal(i, places.Take());
        foreach (var place in new[] { 3, 90, 7 })
            places.Return(place);
        Assert.Equal([3, 7, 90, 100], new[] { places.Take(), places.Take(), places.Take(), places.Take() });
    }

    private List<string> Shown(Support.TestClient client) =>
    [
        .. Fields(client).Select(static one => one[5].Type == BuiltInType.Boolean
            ? $"{NameOf(one)} {one[5].AsBoolean()}"
            : NameOf(one)),
    ];
}
