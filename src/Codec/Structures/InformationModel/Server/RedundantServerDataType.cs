namespace Gateway.Codec.Structures;

[Structure(853, 855)]
public sealed partial class RedundantServerDataType
{
    public string? ServerId { get; init; }

    public byte ServiceLevel { get; init; }

    public ServerState ServerState { get; init; }
}
