using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(894, 896)]
public sealed partial class ProgramDiagnosticDataType
{
    public NodeId CreateSessionId { get; init; }

    public string? CreateClientName { get; init; }

    public DateTime InvocationCreationTime { get; init; }

    public DateTime LastTransitionTime { get; init; }

    public string? LastMethodCall { get; init; }

    public NodeId LastMethodSessionId { get; init; }

    public Argument[]? LastMethodInputArguments { get; init; }

    public Argument[]? LastMethodOutputArguments { get; init; }

    public DateTime LastMethodCallTime { get; init; }

    public StatusResult LastMethodReturnStatus { get; init; }
}
