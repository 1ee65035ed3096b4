using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.Simulator;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.Tests.Simulator;

public class SimulatorMethodsTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly NodeTable _nodes = new();
    private readonly ValueStore _values;
    private readonly ushort _index;

    public SimulatorMethodsTests()
    {
        _values = new ValueStore(_time);
        StandardNodes.Load(_nodes, _values);
        new PlantSimulator(
            new SimulatorOptions { Tags = 0 },
            new SourceDriverContext(_nodes, _values, _time, NullLoggerFactory.Instance)).Prepare();
        Assert.True(_nodes.Namespaces.TryGetIndex("urn:gateway:simulator", out _index));
    }

    [Fact]
    public async Task Add_TwoNumbers_ReturnsTheSum()
    {
        var result = await Call("Add", new Variant(2), new Variant(40));
        Assert.Equal(new Variant(42), Assert.Single(result.OutputArguments!));
    }

    [Fact]
    public async Task Add_SumPastInt32_IsOutOfRange()
    {
        var result = await Call("Add", new Variant(int.MaxValue), new Variant(1));
        Assert.Equal(StatusCodes.BadOutOfRange, result.StatusCode.Code);
    }

    [Theory]
    [InlineData("hello")]
    [InlineData("")]
    [InlineData(null)]
    public async Task Echo_Text_ComesBack(string? text)
    {
        var result = await Call("Echo", new Variant(text));
        Assert.Equal(new Variant(text), Assert.Single(result.OutputArguments!));
    }

    [Fact]
    public async Task Wait_Duration_AnswersWhenItIsOver()
    {
        var call = Call("Wait", new Variant(500.0)).AsTask();
        _time.Advance(499);
        Assert.False(call.IsCompleted);
        _time.Advance(1);
        Assert.True((await call).StatusCode.IsGood);
    }

    [Fact]
    public async Task Wait_Cancelled_EndsAtOnce()
    {
        using var cancellation = new CancellationTokenSource();
        var call = Call("Wait", cancellation.Token, new Variant(60_000.0)).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
    }

    [Theory]
    [InlineData(-1, StatusCodes.BadInvalidArgument)]
    [InlineData(double.NaN, StatusCodes.BadInvalidArgument)]
    [InlineData(double.PositiveInfinity, StatusCodes.BadOutOfRange)]
    [InlineData(3_600_001, StatusCodes.BadOutOfRange)]
    public async Task Wait_ImpossibleDuration_IsRefused(double milliseconds, uint expected)
    {
        var result = await Call("Wait", new Variant(milliseconds));
        Assert.Equal(expected, result.StatusCode.Code);
    }

    [Fact]
    public void InputArguments_OfAdd_NameBothNumbers()
    {
        var arguments = _values.Read(Find("Add/InputArguments")).Value.AsArray<ExtensionObject>()!;
        Assert.Equal(["A", "B"], arguments.Select(a => ((Argument)a.Body!).Name));
    }

    private NodeHandle Find(string id) => _nodes.Find(new NodeId(id, _index));

    private ValueTask<CallMethodResult> Call(string method, params Variant[] inputs) =>
        Call(method, CancellationToken.None, inputs);

    private ValueTask<CallMethodResult> Call(string method, CancellationToken ct, params Variant[] inputs) =>
        ((IMethodSource)_nodes.SourceOf(Find(method))!).CallAsync(Find("Methods"), Find(method), inputs, ct);
}
