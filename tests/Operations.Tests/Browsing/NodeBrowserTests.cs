using System.Runtime.CompilerServices;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Browsing;

namespace Gateway.Operations.Tests.Browsing;

public sealed class NodeBrowserTests
{
    private const int Tags = 10;

    private static readonly Caller Observer = TestPlant.CallerOf(Roles.Observer, CallerDoor.Http);

    private readonly TestOwner _owner = new();
    private readonly TestPlant _plant = new TestPlant(TestTurn.Plenty with { MaxBrowseContinuationPoints = 2 })
        .Folder("Plant").Folder("Secret", only: StandardIds.Objects.WellKnownRole_Engineer);

    public NodeBrowserTests()
    {
        for (var i = 0; i < Tags; i++)
            _plant.Tag("Tag" + i, "Plant");
    }

    [Fact]
    public async Task BrowseNextAsync_UntilThereIsNoPoint_EachReferenceOnce()
    {
        var turn = new TestTurn(Observer);
        var (names, result) = (new List<string?>(), await BrowseAsync(turn, _owner, 4, "Plant"));
        names.AddRange(NamesOf(result));
        while (result.ContinuationPoint is { } point)
        {
            result = (await _plant.Operations.Browser.BrowseNextAsync(turn, _owner, [point]))[0];
            names.AddRange(NamesOf(result));
        }

        Assert.Equal(Enumerable.Range(0, Tags).Select(i => "Tag" + i), names);
        Assert.Equal(0, _owner.BrowsePoints.Count);
    }

    [Fact]
    public async Task BrowseNextAsync_PointOfAnotherOwner_IsInvalidAndStaysWithItsOwner()
    {
        var turn = new TestTurn(Observer);
        var point = (await BrowseAsync(turn, _owner, 4, "Plant")).ContinuationPoint;

        var foreign = await _plant.Operations.Browser.BrowseNextAsync(turn, new TestOwner(), [point]);
        var own = await _plant.Operations.Browser.BrowseNextAsync(turn, _owner, [point]);

        Assert.Equal(StatusCodes.BadContinuationPointInvalid, foreign[0].StatusCode.Code);
        Assert.Null(foreign[0].References);
        Assert.Equal(["Tag4", "Tag5", "Tag6", "Tag7"], NamesOf(own[0]));
    }

    [Fact]
    public async Task BrowseNextAsync_APointTwice_IsInvalidTheSecondTime()
    {
        var turn = new TestTurn(Observer);
        var point = (await BrowseAsync(turn, _owner, 4, "Plant")).ContinuationPoint;

        var results = await _plant.Operations.Browser.BrowseNextAsync(turn, _owner, [point, point]);

        Assert.True(results[0].StatusCode.IsGood);
        Assert.Equal(StatusCodes.BadContinuationPointInvalid, results[1].StatusCode.Code);
    }

    [Fact]
    public async Task Release_APoint_IsGone()
    {
        var turn = new TestTurn(Observer);
        var point = (await BrowseAsync(turn, _owner, 4, "Plant")).ContinuationPoint;

        NodeBrowser.Release(_owner, [point]);

        var results = await _plant.Operations.Browser.BrowseNextAsync(turn, _owner, [point]);
        Assert.Equal(StatusCodes.BadContinuationPointInvalid, results[0].StatusCode.Code);
    }

    [Fact]
    public async Task BrowseAsync_MorePointsThanAnOwnerMayHave_TheLastNodesHaveNone()
    {
        var results = await _plant.Operations.Browser.BrowseAsync(
            new TestTurn(Observer), _owner, [Of("Plant"), Of("Plant"), Of("Plant")], 4);

        Assert.Equal(
            [StatusCodes.Good, StatusCodes.Good, StatusCodes.BadNoContinuationPoints],
            results.Select(result => result.StatusCode.Code));
        Assert.Equal(2, _owner.BrowsePoints.Count);
    }

    /// <summary>All results of a request wait for the last one.</summary>
    [Fact]
    public async Task BrowseAsync_MoreThanARequestMayHold_TheRestIsRefused()
    {
        var turn = new TestTurn(Observer) { MaxHeldBytes = 15 * Unsafe.SizeOf<ReferenceDescription>() };

        var results = await _plant.Operations.Browser.BrowseAsync(
            turn, _owner, [Of("Plant"), Of("Plant"), Of("Plant")], 0);

        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadResponseTooLarge, StatusCodes.BadResponseTooLarge],
            results.Select(result => result.StatusCode.Code));
        Assert.Equal(Tags, results[0].References!.Length);
        Assert.Null(results[1].References);
    }

    [Fact]
    public async Task BrowseAsync_MoreThanATurnMayDo_GoesOnInLaterOnesToTheSameAnswer()
    {
        var turn = new TestTurn(Observer, maxWorkPerTurn: 10);

        var result = await BrowseAsync(turn, _owner, 0, "Plant");

        Assert.Equal(Tags, result.References!.Length);
        Assert.True(turn.Turns > 3);
    }

    [Theory]
    [InlineData(Roles.Observer, false)]
    [InlineData(Roles.Engineer, true)]
    public async Task BrowseAsync_NodeOfOneRole_IsThereForItOnly(Roles roles, bool isThere)
    {
        var turn = new TestTurn(TestPlant.CallerOf(roles, CallerDoor.Http));

        var below = await BrowseAsync(turn, _owner, 0, new NodeId(StandardIds.Objects.ObjectsFolder));
        var itself = await BrowseAsync(turn, _owner, 0, "Secret");

        Assert.Equal(isThere, NamesOf(below).Contains("Secret"));
        Assert.Equal(isThere ? StatusCodes.Good : StatusCodes.BadNodeIdUnknown, itself.StatusCode.Code);
    }

    [Theory]
    [InlineData(AccessRestrictionType.EncryptionRequired, true, true)]
    [InlineData(AccessRestrictionType.SessionRequired, true, false)]
    [InlineData(
        AccessRestrictionType.EncryptionRequired | AccessRestrictionType.ApplyRestrictionsToBrowse, false, true)]
    public async Task BrowseAsync_Restricted_IsHiddenWhereTheRestrictionSaysSo(
        AccessRestrictionType restrictions, bool isThereUnsecured, bool isThereWithoutASession)
    {
        _plant.Variable("Guarded", _plant.Store, restrictions: restrictions);
        var objects = new NodeId(StandardIds.Objects.ObjectsFolder);
        var unsecured = TestPlant.CallerOf(Roles.Observer, CallerDoor.Http, MessageSecurityMode.None);
        var sessionless = TestPlant.CallerOf(Roles.Observer, CallerDoor.Http, hasSession: false);

        Assert.Contains("Guarded", NamesOf(await BrowseAsync(new TestTurn(Observer), _owner, 0, objects)));
        Assert.Equal(
            isThereUnsecured,
            NamesOf(await BrowseAsync(new TestTurn(unsecured), _owner, 0, objects)).Contains("Guarded"));
        Assert.Equal(
            isThereWithoutASession,
            NamesOf(await BrowseAsync(new TestTurn(sessionless), _owner, 0, objects)).Contains("Guarded"));
    }

    private static IEnumerable<string?> NamesOf(BrowseResult result) =>
        result.References!.Select(reference => reference.BrowseName.Name);

    private static BrowseDescription Of(NodeId node) => new()
    {
        NodeId = node,
        ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.HierarchicalReferences),
        IncludeSubtypes = true,
        ResultMask = (uint)BrowseResultMask.All,
    };

    private BrowseDescription Of(string id) => Of(_plant.Id(id));

    private Task<BrowseResult> BrowseAsync(TestTurn turn, TestOwner owner, uint maximum, string id) =>
        BrowseAsync(turn, owner, maximum, _plant.Id(id));

    private async Task<BrowseResult> BrowseAsync(TestTurn turn, TestOwner owner, uint maximum, NodeId node) =>
        (await _plant.Operations.Browser.BrowseAsync(turn, owner, [Of(node)], maximum))[0];
}
