using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(17606, 17610)]
public sealed partial class GenericAttributeValue
{
    public uint AttributeId { get; init; }

    public Variant Value { get; init; }
}
