using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(7594, 8251)]
public partial class EnumValueType
{
    public long Value { get; init; }

    public LocalizedText DisplayName { get; init; }

    public LocalizedText Description { get; init; }
}
