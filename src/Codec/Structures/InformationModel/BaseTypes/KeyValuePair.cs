using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(14533, 14846)]
public sealed partial class KeyValuePair
{
    public QualifiedName Key { get; init; }

    public Variant Value { get; init; }
}
