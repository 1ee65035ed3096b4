using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Searching;
using Gateway.Testing;

namespace Gateway.Operations.Tests.Searching;

public sealed class NodeSearchTests
{
    private static readonly Caller Observer = TestPlant.CallerOf(Roles.Observer);

    private readonly TestPlant _plant = new TestPlant()
        .Folder("Press").Folder("Press.Line1", "Press").Folder("Press.Line2", "Press")
        .Tag("Press.Line1.Temperature", "Press.Line1", description: "Of the oil, behind the pump")
        .Tag("Press.Line2.Temperature", "Press.Line2", type: StandardIds.VariableTypes.AnalogItemType)
        .Tag("Press.Line2.Count", "Press.Line2", dataType: StandardIds.DataTypes.UInt16, displayName: "Stückzahl")
        .Tag("Oven.TemperatureSetpoint").Tag("Oven.MaxTemperature")
        .Folder("Vault", only: StandardIds.Objects.WellKnownRole_Engineer)
        .Tag("Vault.Combination", "Vault", only: StandardIds.Objects.WellKnownRole_Engineer)
        .Tag("Safe.Door", "Vault")
        .Folder("Valves").Tag("Valves.A/B", "Valves");

    [Fact]
    public async Task SearchAsync_AWord_BestNamesFirst()
    {
        await ExpectAsync(
            "temperature", "Press.Line1.Temperature", "Press.Line2.Temperature", "Oven.TemperatureSetpoint",
            "Oven.MaxTemperature");
        await ExpectAsync(
            "TEMP", "Press.Line1.Temperature", "Press.Line2.Temperature", "Oven.TemperatureSetpoint",
            "Oven.MaxTemperature");
    }

    [Theory]
    [InlineData("line2 temperature")]
    [InlineData("Press/Line2/Temperature")]
    [InlineData("/2:Press/2:Line2/2:Temperature")]
    [InlineData("/2:Press/2:Line2/2:Temp&erature")]
    [InlineData("temperature  press line2")]
    public async Task SearchAsync_WordsOfThePath_NarrowTheName(string text) =>
        await ExpectAsync(text, "Press.Line2.Temperature");

    /// <summary>As an answer prints it.</summary>
    [Theory]
    [InlineData("/2:Valves/2:A&/B")]
    [InlineData("/Objects/2:valves/2:a&/b")]
    public async Task SearchAsync_PathWithASignThatIsEscaped_FindsIt(string text) =>
        await ExpectAsync(text, "Valves.A/B");

    [Theory]
    [InlineData("/2:Valves/2:A&/B/", "Valves", "A/B")]
    [InlineData("/2:Valves/2:Open/", "Valves", "Open")]
    [InlineData("/2:A&/B/", "A/B")]
    public void Split_PathThatEndsInAStroke_HasNoEmptyWord(string text, params string[] words) =>
        Assert.Equal(words, SearchWords.Split(text));

    [Fact]
    public async Task SearchAsync_DisplayNameDescriptionAndIdentifier_AreLookedAt()
    {
        await ExpectAsync("stückZAHL", "Press.Line2.Count");
        await ExpectAsync("oil temperature", "Press.Line1.Temperature");
        await ExpectAsync("oven.max", "Oven.MaxTemperature");
    }

    [Fact]
    public async Task SearchAsync_AWordOfANodeAbove_DoesNotFindWhatLiesBelow()
    {
        var found = await FindAsync(new NodeQuery { Text = "line1", Limit = 100 });

        // Its identifier holds the word, as the folder's name does.
        Assert.Equal(["Press.Line1", "Press.Line1.Temperature"], found);
        Assert.Equal(["Press"], await FindAsync(new NodeQuery { Text = "press", Limit = 1 }));
    }

    [Fact]
    public async Task SearchAsync_TypeAndClass_AreFilters()
    {
        await ExpectAsync(
            new NodeQuery
            {
                Text = "temperature",
                Type = new NodeId(StandardIds.VariableTypes.DataItemType),
                Limit = 10,
            },
            "Press.Line2.Temperature");
        await ExpectAsync(
            new NodeQuery { Text = "press", Type = new NodeId(StandardIds.DataTypes.Integer), Limit = 10 });
        await ExpectAsync(
            new NodeQuery { Text = "press", Type = new NodeId(StandardIds.DataTypes.UInteger), Limit = 10 },
            "Press.Line2.Count");
        await ExpectAsync(
            new NodeQuery { Text = "line1", NodeClassMask = (uint)NodeClass.Object, Limit = 10 }, "Press.Line1");
    }

    [Fact]
    public async Task SearchAsync_OnlyAType_FindsAllOfIt()
    {
        var found = await FindAsync(
            new NodeQuery { Text = "", Type = new NodeId(StandardIds.VariableTypes.AnalogItemType), Limit = 1000 });

        Assert.Contains("Press.Line2.Temperature", found);
        Assert.DoesNotContain("Press.Line1.Temperature", found);
    }

    [Fact]
    public async Task SearchAsync_HiddenNodes_AreNotFoundNorDoTheirNamesLead()
    {
        await ExpectAsync("combination");
        await ExpectAsync("vault/door");
        Assert.Equal(
            ["Vault.Combination"],
            await FindAsync(new NodeQuery { Text = "combination", Limit = 10 }, TestPlant.CallerOf(Roles.Engineer)));
        Assert.Equal(
            ["Safe.Door"],
            await FindAsync(new NodeQuery { Text = "vault/door", Limit = 10 }, TestPlant.CallerOf(Roles.Engineer)));
    }

    [Fact]
    public async Task SearchAsync_PageByPage_GivesEachNodeOnceInTheSameOrder()
    {
        var all = await FindAsync(new NodeQuery { Text = "e", Limit = 100_000 });
        var paged = new List<string>();
        var query = new NodeQuery { Text = "e", Limit = 37 };
        while (true)
        {
            var page = await _plant.Search.SearchAsync(new TestTurn(Observer), query, CancellationToken.None);
            Assert.True(page.IsComplete);
            paged.AddRange(page.Nodes.Select(NameOf));
            if (page.Next is not { } next)
                break;
            Assert.True(SearchCursor.TryParse(next.ToString(), out var cursor));
            query = query with { After = cursor };
        }

        Assert.True(all.Count > 1000);
        Assert.Equal(all, paged);
    }

    [Fact]
    public async Task SearchAsync_WorkThatIsSpent_SaysThatThePageIsNotAll()
    {
        var turn = new TestTurn(Observer, maxWork: 2000);

        var page = await _plant.Search.SearchAsync(
            turn, new NodeQuery { Text = "e", Limit = 10 }, CancellationToken.None);

        Assert.False(page.IsComplete);
        Assert.NotEmpty(page.Nodes);
    }

    /// <summary>R02: each search under way holds memory for every node.</summary>
    [Fact]
    public async Task SearchAsync_MoreThanMayRun_WaitsForAPlace()
    {
        var query = new NodeQuery { Text = "temperature", Limit = 1 };
        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<SearchPage> Search(CancellationToken cancellation) => _plant.Search.SearchAsync(
            new TestTurn(Observer) { Held = held.Task }, query, cancellation).AsTask();
        Task<SearchPage>[] running =
            [.. Enumerable.Range(0, NodeSearch.MostAtATime).Select(_ => Search(CancellationToken.None))];
        using var gone = new CancellationTokenSource();
        var given = Search(gone.Token);
        var waiting = Search(CancellationToken.None);

        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given.WaitAsync(Patience.Limit));
        Assert.False(waiting.IsCompleted);
        held.SetResult();

        Assert.All(await Task.WhenAll([.. running, waiting]).WaitAsync(Patience.Limit),
            page => Assert.Equal("Press.Line1.Temperature", NameOf(page.Nodes[0])));
    }

    [Fact]
    public void Check_WhatCannotBeSearched_SaysWhy()
    {
        var good = new NodeQuery { Text = "x", Limit = 1 };
        Assert.Equal(StatusCodes.Good, Check(good));
        Assert.Equal(StatusCodes.BadNothingToDo, Check(good with { Text = " / " }));
        Assert.Equal(StatusCodes.BadOutOfRange, Check(good with { Limit = 0 }));
        Assert.Equal(StatusCodes.BadOutOfRange, Check(good with { Text = new string('x', 257) }));
        Assert.Equal(StatusCodes.Good, Check(good with { Text = "/2:" + new string('x', 1_000) }));
        Assert.Equal(StatusCodes.BadOutOfRange, Check(good with { Text = "/2:" + new string('x', 5_000) }));
        Assert.Equal(StatusCodes.Good, Check(good with { Text = string.Concat(Enumerable.Repeat("/2:a", 16)) }));
        Assert.Equal(StatusCodes.BadOutOfRange, Check(good with { Text = "a b c d e f g h i j k l m n o p" }));
        Assert.Equal(StatusCodes.BadNodeIdUnknown, Check(good with { Type = _plant.Id("Nothing") }));
        Assert.Equal(StatusCodes.BadNodeIdUnknown, Check(good with { Type = _plant.Id("Vault") }));

        uint Check(NodeQuery query) => _plant.Search.Check(Observer, query).Code;
    }

    [Theory]
    [InlineData("")]
    [InlineData("1")]
    [InlineData("9-1")]
    [InlineData("1--2")]
    [InlineData("x-1")]
    [InlineData("1-99999999999")]
    public void TryParse_NoCursor_False(string text) => Assert.False(SearchCursor.TryParse(text, out _));

    private Task ExpectAsync(string text, params string[] expected) =>
        ExpectAsync(new NodeQuery { Text = text, Limit = 100 }, expected);

    private async Task ExpectAsync(NodeQuery query, params string[] expected) =>
        Assert.Equal(
            expected, (await FindAsync(query)).Where(name => !name.StartsWith("i=", StringComparison.Ordinal)));

    private async Task<List<string>> FindAsync(NodeQuery query, Caller? caller = null)
    {
        var page = await _plant.Search.SearchAsync(new TestTurn(caller ?? Observer), query, CancellationToken.None);
        return [.. page.Nodes.Select(NameOf)];
    }

    private string NameOf(AddressSpace.Nodes.NodeHandle node)
    {
        var id = _plant.Nodes.GetNodeId(node);
        return id.IdType == IdType.String ? id.String! : id.ToString();
    }
}
