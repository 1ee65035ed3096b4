using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(583, 585)]
public sealed partial class ContentFilterElement
{
    public FilterOperator FilterOperator { get; init; }

    public ExtensionObject[]? FilterOperands { get; init; }
}
