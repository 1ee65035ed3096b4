namespace Gateway.Codec.Structures;

[Structure(17607, 17611)]
public sealed partial class GenericAttributes : NodeAttributes
{
    public GenericAttributeValue[]? AttributeValues { get; init; }
}
