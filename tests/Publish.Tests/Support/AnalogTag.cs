using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Range = Gateway.Codec.Structures.Range;

namespace Gateway.Publish.Tests.Support;

/// <summary>Gives tag 1 of a plant the properties EURange and EngineeringUnits.</summary>
internal sealed class AnalogTag
{
    public const uint EURange = 901;
    public const uint EngineeringUnits = 902;

    private readonly PublishFixture _plant;

    public AnalogTag(PublishFixture plant, uint tag = 1)
    {
        _plant = plant;
        var range = new VariableFacts(new NodeId(884));
        plant.Nodes.Apply(new NodeBatch()
            .AddNode(new NodeDefinition
            {
                NodeId = new NodeId(StandardIds.ReferenceTypes.HasProperty),
                NodeClass = NodeClass.ReferenceType,
                BrowseName = new QualifiedName("HasProperty"),
            })
            .AddProperty(new NodeId(EURange, 1), new QualifiedName("EURange"), range, null, new NodeId(tag, 1))
            .AddProperty(
                new NodeId(EngineeringUnits, 1),
                new QualifiedName("EngineeringUnits"),
                range,
                null,
                new NodeId(tag, 1)));
    }

    public void SetRange(double low, double high) => _plant.Store.Set(
        _plant.Handle(EURange), new DataValue(Variant.FromStructure(new Range { Low = low, High = high })));

    public void SetUnit(int unit) => _plant.Store.Set(
        _plant.Handle(EngineeringUnits),
        new DataValue(Variant.FromStructure(new EUInformation { UnitId = unit })));
}
