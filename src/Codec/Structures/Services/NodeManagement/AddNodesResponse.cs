using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.8.2.</summary>
[Structure(489, 491)]
public sealed partial class AddNodesResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public AddNodesResult[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
