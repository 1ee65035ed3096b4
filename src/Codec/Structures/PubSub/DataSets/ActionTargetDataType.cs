using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(18593, 18598)]
public sealed partial class ActionTargetDataType
{
    public ushort ActionTargetId { get; init; }

    public string? Name { get; init; }

    public LocalizedText Description { get; init; }
}
