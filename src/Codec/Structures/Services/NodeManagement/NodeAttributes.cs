using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(349, 351)]
public partial class NodeAttributes
{
    public uint SpecifiedAttributes { get; init; }

    public LocalizedText DisplayName { get; init; }

    public LocalizedText Description { get; init; }

    public uint WriteMask { get; init; }

    public uint UserWriteMask { get; init; }
}
