using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;
using Gateway.Sources;

namespace Gateway.Tests.Drivers;

/// <summary>A variable whose source answers when the test says so.</summary>
public sealed class LateDriver(SourceDriverContext gateway) : ISourceDriver, INodeSource
{
    public const string Node = "nsu=urn:test:late;s=Late";

    private readonly TaskCompletionSource<Variant> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _asked = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Ends with the first Read.</summary>
    public Task Asked => _asked.Task;

    /// <summary>One more with each Read.</summary>
    public SemaphoreSlim Asks { get; } = new(0);

    public void Answer(Variant value) => _answer.SetResult(value);

    public void Prepare()
    {
        var index = gateway.Nodes.Namespaces.GetOrAdd("urn:test:late");
        var facts = new VariableFacts(new NodeId(StandardIds.DataTypes.Double));
        gateway.Nodes.Apply(new NodeBatch().AddVariable(
            new NodeId("Late", index), new QualifiedName("Late", index), facts, this,
            new NodeId(StandardIds.Objects.ObjectsFolder)));
    }

    public void Start()
    {
    }

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        value = default;
        return false;
    }

    public async ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct)
    {
        _asked.TrySetResult();
        Asks.Release();
        var value = new DataValue(await _answer.Task.WaitAsync(ct));
        results.Span.Fill(value);
    }

    public IReadOnlyList<SourceReport> Report() =>
        [new() { Name = "Late", State = SourceState.Online, Since = gateway.Time.GetUtcNow(), Nodes = 1 }];

    public ValueTask DisposeAsync()
    {
        Asks.Dispose();
        return default;
    }
}
