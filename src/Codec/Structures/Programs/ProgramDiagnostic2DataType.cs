using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(24033, 24034)]
public sealed partial class ProgramDiagnostic2DataType
{
    public NodeId CreateSessionId { get; init; }

    public string? CreateClientName { get; init; }

    public DateTime InvocationCreationTime { get; init; }

    public DateTime LastTransitionTime { get; init; }

    public string? LastMethodCall { get; init; }

    public NodeId LastMethodSessionId { get; init; }

    public Argument[]? LastMethodInputArguments { get; init; }

    public Argument[]? LastMethodOutputArguments { get; init; }

    public Variant[]? LastMethodInputValues { get; init; }

    public Variant[]? LastMethodOutputValues { get; init; }

    public DateTime LastMethodCallTime { get; init; }

    public StatusCode LastMethodReturnStatus { get; init; }
}
