using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Attributes;

namespace Gateway.Operations.Tests.Attributes;

/// <summary>A source that shares what it can do is told for whom it does it.</summary>
public sealed class SharedSourceTests
{
    private static readonly Caller Operator = TestPlant.CallerOf(Roles.Operator, CallerDoor.Http);

    private readonly Shared _source = new();
    private readonly TestPlant _plant = new();

    public SharedSourceTests() => _plant.Variable("Tag", _source);

    [Fact]
    public async Task ReadAsync_ByAUser_ItsAccount()
    {
        var id = new ReadValueId { NodeId = _plant.Id("Tag"), AttributeId = (uint)AttributeId.Value };

        await _plant.Operations.Reader.ReadAsync(
            new TestRequester(Operator), [id], 0, TimestampsToReturn.Neither, CancellationToken.None);

        Assert.NotEmpty(Operator.Account);
        Assert.Equal(["read " + Operator.Account], _source.Asked);
    }

    [Fact]
    public async Task WriteAsync_ByAUser_ItsAccount()
    {
        var plan = WritePlan.Take(1);
        var value = new WriteValue
        {
            NodeId = _plant.Id("Tag"), AttributeId = (uint)AttributeId.Value, Value = new DataValue(new Variant(1)),
        };
        plan.Results[0] = _plant.Operations.WritePlanner.Plan(
            Operator, value, out var source, out var write, out _);
        plan.Accept(0, source!, write);

        await _plant.Operations.Writer.WriteAsync(new TestRequester(Operator), plan, CancellationToken.None);

        plan.Return();
        Assert.Equal(["write " + Operator.Account], _source.Asked);
    }

    [Fact]
    public async Task CallAsync_ByAUser_ItsAccount()
    {
        _plant.Method("Add", _source);
        var call = new CallMethodRequest
        {
            ObjectId = new NodeId(StandardIds.Objects.ObjectsFolder),
            MethodId = _plant.Id("Add"),
            InputArguments = [new(1), new(2)],
        };
        var refused = _plant.Operations.MethodCaller.Resolve(
            new TestTurn(Operator), call, out var target, out var inputs);
        Assert.Null(refused);

        await _plant.Operations.MethodCaller.CallAsync(
            new TestRequester(Operator), [target], [inputs], [null], CancellationToken.None);

        Assert.Equal(["call " + Operator.Account], _source.Asked);
    }

    private sealed class Shared : ISharedSource
    {
        public List<string> Asked { get; } = [];

        public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
        {
            value = default;
            return false;
        }

        public ValueTask ReadAsync(
            ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, string account,
            CancellationToken ct)
        {
            Asked.Add("read " + account);
            return default;
        }

        public ValueTask WriteAsync(
            ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, string account, CancellationToken ct)
        {
            Asked.Add("write " + account);
            return default;
        }

        public ValueTask<CallMethodResult> CallAsync(
            NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct) =>
            CallAsync(obj, method, inputs, "nobody", ct);

        public ValueTask<CallMethodResult> CallAsync(
            NodeHandle obj, NodeHandle method, Variant[] inputs, string account, CancellationToken ct)
        {
            Asked.Add("call " + account);
            return new(new CallMethodResult());
        }
    }
}
