using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources;

namespace Gateway.Tests.Drivers;

/// <summary>An object with a method that takes a Number and throws, and a variable below it by two references.</summary>
public sealed class FaultyDriver(SourceDriverContext gateway) : ISourceDriver, IMethodSource
{
    public const string Parent = "nsu=urn:test:faulty;s=Parent";
    public const string Method = "nsu=urn:test:faulty;s=Method";

    public static SourceDriverRegistration Registration { get; } =
        new("Faulty", static context => new FaultyDriver(context));

    public void Prepare()
    {
        var index = gateway.Nodes.Namespaces.GetOrAdd("urn:test:faulty");
        var (parent, method, twice) = (new NodeId("Parent", index), new NodeId("Method", index), new NodeId("Twice", index));
        gateway.Nodes.Apply(new NodeBatch()
            .AddObject(parent, new QualifiedName("Parent", index), new NodeId(StandardIds.Objects.ObjectsFolder))
            .AddMethod(method, new QualifiedName("Method", index), this, parent)
            .AddProperty(
                new NodeId("Inputs", index), new QualifiedName("InputArguments"),
                new VariableFacts(new NodeId(StandardIds.DataTypes.Argument), 1), this, method)
            .AddVariable(
                twice, new QualifiedName("Twice", index), new VariableFacts(new NodeId(StandardIds.DataTypes.Double)),
                this, parent)
            .AddReference(parent, new NodeId(StandardIds.ReferenceTypes.Organizes), twice));
    }

    public void Start()
    {
    }

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        var number = new Argument
        {
            Name = "Number",
            DataType = new NodeId(StandardIds.DataTypes.Number),
            ValueRank = -1,
        };
        value = new DataValue(Variant.FromArray(BuiltInType.ExtensionObject, new[] { new ExtensionObject(number) }));
        return true;
    }

    public ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct) =>
        throw new InvalidOperationException("a fault of the source");

    public IReadOnlyList<SourceReport> Report() =>
        [new() { Name = "Faulty", State = SourceState.Online, Since = gateway.Time.GetUtcNow(), Nodes = 4 }];

    public ValueTask DisposeAsync() => default;
}
