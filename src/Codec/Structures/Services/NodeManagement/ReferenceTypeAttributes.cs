using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(367, 369)]
public sealed partial class ReferenceTypeAttributes : NodeAttributes
{
    public bool IsAbstract { get; init; }

    public bool Symmetric { get; init; }

    public LocalizedText InverseName { get; init; }
}
