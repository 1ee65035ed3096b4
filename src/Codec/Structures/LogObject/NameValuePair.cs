using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(19748, 19756)]
public sealed partial class NameValuePair
{
    public string? Name { get; init; }

    public Variant Value { get; init; }
}
