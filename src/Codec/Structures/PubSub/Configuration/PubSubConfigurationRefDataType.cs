namespace Gateway.Codec.Structures;

[Structure(25519, 25531)]
public sealed partial class PubSubConfigurationRefDataType
{
    public PubSubConfigurationRefMask ConfigurationMask { get; init; }

    public ushort ElementIndex { get; init; }

    public ushort ConnectionIndex { get; init; }

    public ushort GroupIndex { get; init; }
}
