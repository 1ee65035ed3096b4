namespace Gateway.Interop.Scripts;

/// <summary>Whose program a test needs.</summary>
internal enum PeerProgram
{
    NodeOpcUa,
    Prometheus,
}
