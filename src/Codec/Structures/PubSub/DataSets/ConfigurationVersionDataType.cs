namespace Gateway.Codec.Structures;

[Structure(14593, 14847)]
public sealed partial class ConfigurationVersionDataType
{
    public uint MajorVersion { get; init; }

    public uint MinorVersion { get; init; }
}
