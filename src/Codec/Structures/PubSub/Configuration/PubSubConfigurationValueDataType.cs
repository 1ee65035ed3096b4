using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(25520, 25532)]
public sealed partial class PubSubConfigurationValueDataType
{
    public PubSubConfigurationRefDataType ConfigurationElement { get; init; } = new();

    public string? Name { get; init; }

    public Variant Identifier { get; init; }
}
