using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(389, 391)]
public readonly partial record struct RequestHeader
{
    public NodeId AuthenticationToken { get; init; }

    public DateTime Timestamp { get; init; }

    public uint RequestHandle { get; init; }

    public uint ReturnDiagnostics { get; init; }

    public string? AuditEntryId { get; init; }

    public uint TimeoutHint { get; init; }

    [PassOverUnknown]
    public ExtensionObject AdditionalHeader { get; init; }
}
