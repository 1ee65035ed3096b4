using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(511, 513)]
public sealed partial class ViewDescription
{
    public NodeId ViewId { get; init; }

    public DateTime Timestamp { get; init; }

    public uint ViewVersion { get; init; }
}
