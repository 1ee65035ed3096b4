using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(862, 864)]
public sealed partial class ServerStatusDataType
{
    public DateTime StartTime { get; init; }

    public DateTime CurrentTime { get; init; }

    public ServerState State { get; init; }

    public BuildInfo BuildInfo { get; init; } = new();

    public uint SecondsTillShutdown { get; init; }

    public LocalizedText ShutdownReason { get; init; }
}
