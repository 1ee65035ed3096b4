using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Methods;

namespace Gateway.Operations.Tests.Methods;

public sealed class MethodCallerTests
{
    private static readonly Caller Operator = TestPlant.CallerOf(Roles.Operator, CallerDoor.Http);
    private static readonly Variant[] Inputs = [new(1), new(2)];

    private readonly TestSource _source = new(new Variant(3));
    private readonly TestPlant _plant = new(TestTurn.Plenty with { MaxAnswerBytesPerRequest = 5_000 });

    public MethodCallerTests() => _plant.Method("Add", _source);

    [Fact]
    public async Task CallAsync_RightArguments_TheSourceAnswers()
    {
        var result = Assert.Single(await CallAsync(new TestTurn(Operator), Call("Add", Inputs)));

        Assert.Equal(3, Assert.Single(result.OutputArguments!).AsInt32());
        Assert.Equal([1, 2], Assert.Single(_source.Calls).Select(input => input.AsInt32()));
    }

    [Fact]
    public async Task CallAsync_WrongNumberOfArguments_TheSourceIsNotAsked()
    {
        var results = await CallAsync(
            new TestTurn(Operator), Call("Add", [new(1)]), Call("Add", [new(1), new(2), new(3)]), Call("Add", null));

        Assert.Equal(
            [StatusCodes.BadArgumentsMissing, StatusCodes.BadTooManyArguments, StatusCodes.BadArgumentsMissing],
            results.Select(result => result.StatusCode.Code));
        Assert.Empty(_source.Calls);
    }

    [Fact]
    public async Task CallAsync_ArgumentOfAWrongType_SaysWhich()
    {
        var result = Assert.Single(await CallAsync(new TestTurn(Operator), Call("Add", [new(1), new("2")])));

        Assert.Equal(StatusCodes.BadInvalidArgument, result.StatusCode.Code);
        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadTypeMismatch], result.InputArgumentResults!.Select(one => one.Code));
        Assert.Empty(_source.Calls);
    }

    [Theory]
    [InlineData(Roles.Observer, MessageSecurityMode.SignAndEncrypt, true, StatusCodes.BadUserAccessDenied)]
    [InlineData(Roles.Operator, MessageSecurityMode.Sign, true, StatusCodes.BadSecurityModeInsufficient)]
    [InlineData(Roles.Operator, MessageSecurityMode.SignAndEncrypt, false, StatusCodes.BadMethodInvalid)]
    [InlineData(Roles.Operator, MessageSecurityMode.SignAndEncrypt, true, StatusCodes.Good)]
    public async Task CallAsync_SessionAndEncryptionRequired_TheSourceIsAskedOnlyWithBoth(
        Roles roles, MessageSecurityMode mode, bool hasSession, uint expected)
    {
        _plant.Method(
            "Guarded", _source,
            AccessRestrictionType.SessionRequired | AccessRestrictionType.EncryptionRequired);
        var turn = new TestTurn(TestPlant.CallerOf(roles, CallerDoor.Http, mode, hasSession));

        var result = Assert.Single(await CallAsync(turn, Call("Guarded", Inputs)));

        Assert.Equal(expected, result.StatusCode.Code);
        Assert.Equal(expected == StatusCodes.Good ? 1 : 0, _source.Calls.Count);
    }

    [Fact]
    public async Task CallAsync_MethodOfOneRole_IsInvalidForOthers()
    {
        _plant.Method("OfEngineers", _source, only: StandardIds.Objects.WellKnownRole_Engineer);

        var refused = await CallAsync(new TestTurn(Operator), Call("OfEngineers", Inputs));
        var allowed = await CallAsync(
            new TestTurn(TestPlant.CallerOf(Roles.Engineer)), Call("OfEngineers", Inputs));

        Assert.Equal(StatusCodes.BadMethodInvalid, refused[0].StatusCode.Code);
        Assert.True(allowed[0].StatusCode.IsGood);
    }

    [Fact]
    public async Task CallAsync_UserOfLessRightsWhileASourceIsLate_TheNextCallIsNotBegun()
    {
        var requester = new TestRequester(Operator);
        _source.Hold();
        var calls = CallAsync(new TestTurn(Operator), requester, Call("Add", Inputs), Call("Add", Inputs));

        requester.PresentCaller = TestPlant.CallerOf(Roles.Observer);
        _source.Go();

        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadUserAccessDenied],
            (await calls).Select(result => result.StatusCode.Code));
        Assert.Single(_source.Calls);
    }

    [Fact]
    public async Task CallAsync_OutputTooLarge_IsDroppedAndNoneIsBegunAfterIt()
    {
        var large = new TestSource(Variant.FromByteString(new byte[10_000]));
        _plant.Method("Large", large);

        var results = await CallAsync(
            new TestTurn(Operator), Call("Add", Inputs), Call("Large", Inputs), Call("Add", Inputs));

        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadResponseTooLarge, StatusCodes.BadResourceUnavailable],
            results.Select(result => result.StatusCode.Code));
        Assert.Single(large.Calls);
        Assert.Single(_source.Calls);
    }

    /// <summary>The budget of all requests has no room for it.</summary>
    [Fact]
    public async Task CallAsync_OutputThatNobodyHolds_IsDroppedAndNoneIsBegunAfterIt()
    {
        var caller = _plant.Operations.MethodCaller;
        Assert.Null(caller.Resolve(new TestTurn(Operator), Call("Add", Inputs), out var target, out var inputs));
        _plant.Method("Text", new TestSource(new Variant("text")));
        Assert.Null(caller.Resolve(new TestTurn(Operator), Call("Text", Inputs), out var text, out _));

        var results = await caller.CallAsync(
            new TestRequester(Operator), [text, target], [inputs, inputs], [null, null], CancellationToken.None,
            hold: static _ => false);

        Assert.Equal(
            [StatusCodes.BadResponseTooLarge, StatusCodes.BadResourceUnavailable],
            results.Select(static one => one.StatusCode.Code));
        Assert.Empty(_source.Calls);
    }

    [Fact]
    public async Task Resolve_ARequestThatMayDoNoMore_IsRefusedAndCounted()
    {
        var turn = new TestTurn(Operator, maxWork: 1);
        turn.Take();

        var result = Assert.Single(await CallAsync(turn, Call("Add", Inputs)));

        Assert.Equal(StatusCodes.BadResourceUnavailable, result.StatusCode.Code);
        Assert.Equal(1, turn.Refused);
    }

    private CallMethodRequest Call(string method, Variant[]? inputs) => new()
    {
        ObjectId = new NodeId(StandardIds.Objects.ObjectsFolder),
        MethodId = _plant.Id(method),
        InputArguments = inputs,
    };

    private Task<CallMethodResult[]> CallAsync(TestTurn turn, params CallMethodRequest[] calls) =>
        CallAsync(turn, new TestRequester(turn.Caller), calls);

    private Task<CallMethodResult[]> CallAsync(
        TestTurn turn, TestRequester requester, params CallMethodRequest[] calls)
    {
        var targets = new MethodTarget[calls.Length];
        var inputs = new Variant[calls.Length][];
        var results = new CallMethodResult?[calls.Length];
        for (var i = 0; i < calls.Length; i++)
            results[i] = _plant.Operations.MethodCaller.Resolve(turn, calls[i], out targets[i], out inputs[i]);
        return _plant.Operations.MethodCaller.CallAsync(
            requester, targets, inputs, results, CancellationToken.None).AsTask();
    }
}
