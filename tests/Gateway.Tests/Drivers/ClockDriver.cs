using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;
using Gateway.Sources;

namespace Gateway.Tests.Drivers;

/// <summary>The driver of docs/extending.md, line by line.</summary>
public sealed class ClockDriver(SourceDriverContext gateway) : ISourceDriver, IPolledSource
{
    public void Prepare()
    {
        var index = gateway.Nodes.Namespaces.GetOrAdd("urn:plant:clock");
        var facts = new VariableFacts(new NodeId(StandardIds.DataTypes.UtcTime));
        gateway.Nodes.Apply(new NodeBatch().AddVariable(
            new NodeId("Now", index), new QualifiedName("Now", index), facts, this,
            new NodeId(StandardIds.Objects.ObjectsFolder)));
    }

    public void Start()
    {
    }

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        value = new DataValue(new Variant(gateway.Time.GetUtcNow().UtcDateTime));
        return true;
    }

    public IReadOnlyList<SourceReport> Report() =>
        [new() { Name = "Clock", State = SourceState.Online, Since = gateway.Time.GetUtcNow(), Nodes = 1 }];

    public ValueTask DisposeAsync() => default;
}
