using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Services;

public sealed class MethodServiceTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task Call_Add_ReturnsTheSum()
    {
        var client = await _fixture.ConnectAsync();
        var result = await CallAsync(client, Add(new Variant(2), new Variant(3)));
        Assert.Equal(StatusCode.Good, result.StatusCode);
        Assert.Equal(5, result.OutputArguments!.Single().AsInt32());
        Assert.Null(result.InputArgumentResults);
    }

    [Fact]
    public async Task Call_WrongArguments_SaysWhich()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(StatusCodes.BadArgumentsMissing, (await CallAsync(client, Add(new Variant(2)))).StatusCode);
        Assert.Equal(StatusCodes.BadArgumentsMissing, (await CallAsync(client, Request(null))).StatusCode);
        Assert.Equal(
            StatusCodes.BadTooManyArguments,
            (await CallAsync(client, Add(new Variant(2), new Variant(2), new Variant(2)))).StatusCode);
        var wrong = await CallAsync(client, Add(new Variant(2), new Variant("3")));
        Assert.Equal(StatusCodes.BadInvalidArgument, wrong.StatusCode);
        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadTypeMismatch], wrong.InputArgumentResults!.Select(status => status.Code));
        Assert.Empty(_fixture.Source.Calls);
    }

    [Fact]
    public async Task Call_NullStructureForANumber_BadTypeMismatch()
    {
        var client = await _fixture.ConnectAsync();
        var wrong = await CallAsync(client, Add(new Variant(2), new Variant(default(ExtensionObject))));
        Assert.Equal(StatusCodes.BadInvalidArgument, wrong.StatusCode);
        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadTypeMismatch], wrong.InputArgumentResults!.Select(status => status.Code));
        Assert.Empty(_fixture.Source.Calls);
    }

    [Theory]
    [InlineData(7, StatusCodes.Good)]
    [InlineData(8, StatusCodes.BadOutOfRange)]
    public async Task Call_NumberOfAnEnumeration_MustBeOneOfIts(int number, uint expected)
    {
        _fixture.Values.Set(_fixture.Find(new NodeId("Add.In", 1)), new DataValue(Variant.FromArray(
            BuiltInType.ExtensionObject,
            new[] { new ExtensionObject(new Argument { DataType = new NodeId(852), ValueRank = -1 }) })));
        var client = await _fixture.ConnectAsync();
        var result = await CallAsync(client, Add(new Variant(number)));
        Assert.Equal(new StatusCode(expected), result.InputArgumentResults?.Single() ?? result.StatusCode);
    }

    [Fact]
    public async Task Call_WrongNodes_HaveTheirCodes()
    {
        var client = await _fixture.ConnectAsync();
        async Task<StatusCode> StatusAsync(NodeId on, NodeId method) =>
            (await CallAsync(client, new CallMethodRequest { ObjectId = on, MethodId = method })).StatusCode;

        Assert.Equal(StatusCodes.BadNodeIdUnknown, await StatusAsync(new NodeId("no", 1), TestPlant.Add));
        Assert.Equal(StatusCodes.BadMethodInvalid, await StatusAsync(TestPlant.Methods, new NodeId("no", 1)));
        Assert.Equal(StatusCodes.BadMethodInvalid, await StatusAsync(TestPlant.Methods, TestPlant.Int32));
        Assert.Equal(StatusCodes.BadMethodInvalid, await StatusAsync(TestPlant.Folder, TestPlant.Add));
        Assert.Equal(StatusCodes.BadNodeIdUnknown, await StatusAsync(NodeId.Null, NodeId.Null));
    }

    [Theory]
    [InlineData("observer", StatusCodes.BadUserAccessDenied)]
    [InlineData("operator", StatusCodes.Good)]
    public async Task Call_Role_IsChecked(string user, uint expected)
    {
        var client = await _fixture.ConnectAsync(user);
        var result = await CallAsync(client, Add(new Variant(2), new Variant(3)));
        Assert.Equal(new StatusCode(expected), result.StatusCode);
    }

    [Fact]
    public async Task Call_MethodOfTheServerType_IsTheServersOwn()
    {
        var client = await _fixture.ConnectAsync();
        var getMonitoredItemsOfServerType = new NodeId(11489);
        var result = await CallAsync(client, new CallMethodRequest
        {
            ObjectId = new NodeId(2253),
            MethodId = getMonitoredItemsOfServerType,
            InputArguments = [new Variant(1u)],
        });
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, result.StatusCode);
    }

    [Fact]
    public async Task Call_Waiting_CanBeCancelled()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var id = client.Send(
            new CallRequest { MethodsToCall = [Add(new Variant(1), new Variant(1))] }, requestHandle: 9);
        Assert.False(client.Link.IsAnswered(id));
        await client.CallAsync<CancelResponse>(new CancelRequest { RequestHandle = 9 });
        Assert.Equal(StatusCodes.BadRequestCancelledByClient, await client.FaultAsync(id));
    }

    [Fact]
    public async Task Call_NothingOrTooMuch_IsAFault()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new CallRequest()));
        var many = Enumerable.Repeat(Add(), _fixture.Options.Limits.MaxNodesPerMethodCall + 1);
        Assert.Equal(
            StatusCodes.BadTooManyOperations, await client.FaultAsync(new CallRequest { MethodsToCall = [.. many] }));
    }

    [Theory]
    [InlineData("operator", "observer", StatusCodes.BadUserAccessDenied)]
    [InlineData("operator", "engineer", StatusCodes.Good)]
    public async Task Call_UserChangesMeanwhile_WhatWasNotBegunNeedsBothUsers(string first, string then, uint expected)
    {
        var client = await _fixture.ConnectAsync(first);
        _fixture.Source.Hold();
        var id = client.Send(new CallRequest
        {
            MethodsToCall = [Add(new Variant(1), new Variant(1)), Add(new Variant(2), new Variant(2))],
        });
        await client.ActivateAsync(then);
        _fixture.Source.Go();
        var (_, response) = await client.AnswerAsync<CallResponse>(id);
        Assert.Equal([StatusCodes.Good, expected], response!.Results!.Select(result => result.StatusCode.Code));
        Assert.Equal(expected == StatusCodes.Good ? 2 : 1, _fixture.Source.Calls.Count);
    }

    /// <summary>Source: Part 4 §7.12. The client asks for all of them.</summary>
    [Fact]
    public async Task Call_SourceHasDiagnostics_InTheResponseWithTheirTexts()
    {
        _fixture.Nodes.SetSource(_fixture.Find(new NodeId("Add", 1)), new Diagnosing());
        var client = await _fixture.ConnectAsync();

        var response = await client.CallAsync<CallResponse>(new CallRequest
        {
            MethodsToCall = [Add(new Variant(1)), Add(new Variant(1), new Variant(2))],
        });

        Assert.Equal<IEnumerable<string?>>(["stuck", "E7"], response.ResponseHeader.StringTable!);
        Assert.Equal<IEnumerable<DiagnosticInfo?>>(
            [null, new DiagnosticInfo { LocalizedText = 0 }], response.DiagnosticInfos!);
        Assert.Null(response.Results![0].InputArgumentDiagnosticInfos);
        Assert.Equal<IEnumerable<DiagnosticInfo?>>(
            [null, new DiagnosticInfo { SymbolicId = 1 }], response.Results[1].InputArgumentDiagnosticInfos!);
    }

    private sealed class Diagnosing : IDiagnosingSource
    {
        public ValueTask<CallMethodResult> CallAsync(
            NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct) => new(new CallMethodResult());

        public ValueTask<DiagnosedCall> CallAsync(
            NodeHandle obj, NodeHandle method, Variant[] inputs, string account, uint returnDiagnostics,
            CancellationToken ct) => new(new DiagnosedCall(
                new CallMethodResult
                {
                    StatusCode = StatusCodes.BadInvalidArgument,
                    InputArgumentResults = [StatusCodes.Good, StatusCodes.BadOutOfRange],
                },
                new DiagnosticInfo { LocalizedText = 1 }, [null, new DiagnosticInfo { SymbolicId = 0 }],
                ["E7", "stuck"]));
    }

    private static CallMethodRequest Add(params Variant[] inputs) => Request(inputs);

    private static CallMethodRequest Request(Variant[]? inputs) =>
        new() { ObjectId = TestPlant.Methods, MethodId = TestPlant.Add, InputArguments = inputs };

    private static async Task<CallMethodResult> CallAsync(TestClient client, CallMethodRequest request)
    {
        var response = await client.CallAsync<CallResponse>(new CallRequest { MethodsToCall = [request] });
        return response.Results!.Single();
    }
}
