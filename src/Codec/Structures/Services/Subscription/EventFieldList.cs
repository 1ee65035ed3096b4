using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(917, 919)]
public readonly partial record struct EventFieldList
{
    public uint ClientHandle { get; init; }

    public Variant[]? EventFields { get; init; }
}
