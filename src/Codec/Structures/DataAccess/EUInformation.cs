using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(887, 889)]
public sealed partial class EUInformation
{
    public string? NamespaceUri { get; init; }

    public int UnitId { get; init; }

    public LocalizedText DisplayName { get; init; }

    public LocalizedText Description { get; init; }
}
