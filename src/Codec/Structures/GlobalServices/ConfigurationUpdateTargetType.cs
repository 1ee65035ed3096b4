namespace Gateway.Codec.Structures;

[Structure(15538, 16541)]
public sealed partial class ConfigurationUpdateTargetType
{
    public string? Path { get; init; }

    public ConfigurationUpdateType UpdateType { get; init; }
}
