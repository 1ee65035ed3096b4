using System.Runtime.CompilerServices;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Operations.Tests.Browsing;

public sealed class PathTranslatorTests
{
    private static readonly Caller Observer = TestPlant.CallerOf(Roles.Observer, CallerDoor.Http);

    private readonly TestPlant _plant = new TestPlant(TestTurn.Plenty with { MaxNodesPerBrowsePath = 50 })
        .Folder("Plant").Folder("Line", "Plant").Tag("Speed", "Line")
        .Folder("Secret", only: StandardIds.Objects.WellKnownRole_Engineer).Tag("Open", "Secret");

    [Fact]
    public async Task TranslateAsync_APathOfTheCaller_LeadsToItsNode()
    {
        var result = await TranslateAsync(new TestTurn(Observer), "Plant", "Line", "Speed");

        var target = Assert.Single(result.Targets!);
        Assert.Equal(new ExpandedNodeId(_plant.Id("Speed")), target.TargetId);
        Assert.Equal(uint.MaxValue, target.RemainingPathIndex);
    }

    [Theory]
    [InlineData(Roles.Observer, StatusCodes.BadNoMatch)]
    [InlineData(Roles.Engineer, StatusCodes.Good)]
    public async Task TranslateAsync_ThroughANodeOfOneRole_LeadsOnForItOnly(Roles roles, uint expected)
    {
        var turn = new TestTurn(TestPlant.CallerOf(roles, CallerDoor.Http));

        Assert.Equal(expected, (await TranslateAsync(turn, "Secret", "Open")).StatusCode.Code);
    }

    [Theory]
    [InlineData(AccessRestrictionType.SessionRequired, false, StatusCodes.BadNoMatch)]
    [InlineData(AccessRestrictionType.SessionRequired, true, StatusCodes.Good)]
    [InlineData(AccessRestrictionType.EncryptionRequired, false, StatusCodes.Good)]
    public async Task TranslateAsync_ToARestrictedNode_IsFoundWhereItMayBeBrowsed(
        AccessRestrictionType restrictions, bool hasSession, uint expected)
    {
        _plant.Variable("Guarded", _plant.Store, restrictions: restrictions);
        var caller = TestPlant.CallerOf(Roles.Observer, CallerDoor.Http, MessageSecurityMode.None, hasSession);

        Assert.Equal(expected, (await TranslateAsync(new TestTurn(caller), "Guarded")).StatusCode.Code);
    }

    [Fact]
    public async Task TranslateAsync_TwiceThroughOneFolder_TheSameAnswersByTheNamesOfTheFirst()
    {
        var path = PathOf("Plant", "Line", "Speed");

        var results = await _plant.Operations.Translator.TranslateAsync(
            new TestTurn(Observer), [path, path, path, PathOf("Plant", "Nothing")]);

        Assert.All(results.Take(3), result =>
            Assert.Equal(new ExpandedNodeId(_plant.Id("Speed")), Assert.Single(result.Targets!).TargetId));
        Assert.Equal(StatusCodes.BadNoMatch, results[3].StatusCode.Code);
    }

    [Fact]
    public async Task TranslateAsync_MoreThanATurnMayDo_GoesOnInLaterOnes()
    {
        var turn = new TestTurn(Observer, maxWorkPerTurn: 2);

        var result = await TranslateAsync(turn, "Plant", "Line", "Speed");

        Assert.True(result.StatusCode.IsGood);
        Assert.True(turn.Turns > 2);
    }

    [Fact]
    public async Task TranslateAsync_MoreThanARequestMayDo_TheRestIsRefusedAndCounted()
    {
        var turn = new TestTurn(Observer, maxWork: 8);

        var results = await _plant.Operations.Translator.TranslateAsync(
            turn, [PathOf("Plant", "Line"), PathOf("Plant", "Line", "Speed")]);

        Assert.Equal(StatusCodes.BadQueryTooComplex, results[1].StatusCode.Code);
        Assert.True(turn.Refused > 0);
    }

    [Fact]
    public async Task TranslateAsync_ThroughMoreNodesThanAPathMay_IsRefused()
    {
        for (var i = 0; i < 60; i++)
            _plant.Tag("Tag" + i, "Line");

        var result = await TranslateAsync(new TestTurn(Observer), "Plant", "Line", "Speed");

        Assert.Equal(StatusCodes.BadQueryTooComplex, result.StatusCode.Code);
    }

    /// <summary>All results of a request wait for the last one.</summary>
    [Fact]
    public async Task TranslateAsync_MoreTargetsThanARequestMayHold_TheRestIsRefused()
    {
        for (var i = 0; i < 9; i++)
            _plant.Tag("Tag" + i, "Line");
        var path = ToAnyBelow("Plant", "Line");
        var turn = new TestTurn(Observer) { MaxHeldBytes = 1_000 };

        var results = await _plant.Operations.Translator.TranslateAsync(turn, [path, path, path, path]);

        var good = results.TakeWhile(result => result.StatusCode.IsGood).ToArray();
        Assert.InRange(good.Length, 1, 3);
        Assert.All(good, result => Assert.Equal(10, result.Targets!.Length));
        Assert.All(results[good.Length..], result =>
        {
            Assert.Equal(StatusCodes.BadResponseTooLarge, result.StatusCode.Code);
            Assert.Null(result.Targets);
        });
    }

    [Fact]
    public async Task TranslateAsync_MoreTargetsThanTheCallerWants_HoldsNoMore()
    {
        _plant.Tag("Load", "Line").Tag("Heat", "Line");
        var turn = new TestTurn(Observer);

        var results = await _plant.Operations.Translator.TranslateAsync(turn, [ToAnyBelow("Plant", "Line")], 2);

        Assert.Equal(2, results[0].Targets!.Length);
        Assert.InRange(turn.HeldBytes, 2, 2 * Unsafe.SizeOf<BrowsePathTarget>());
    }

    private BrowsePath ToAnyBelow(params string[] names)
    {
        var path = PathOf([.. names, ""]);
        path.RelativePath!.Elements![^1] = path.RelativePath.Elements[^1] with { TargetName = default };
        return path;
    }

    private async Task<BrowsePathResult> TranslateAsync(TestTurn turn, params string[] names) =>
        (await _plant.Operations.Translator.TranslateAsync(turn, [PathOf(names)]))[0];

    private BrowsePath PathOf(params string[] names) => new()
    {
        StartingNode = new NodeId(StandardIds.Objects.ObjectsFolder),
        RelativePath = new RelativePath
        {
            Elements =
            [
                .. names.Select(name => new RelativePathElement
                {
                    ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.Organizes),
                    IncludeSubtypes = true,
                    TargetName = new QualifiedName(name, _plant.Namespace),
                }),
            ],
        },
    };
}
