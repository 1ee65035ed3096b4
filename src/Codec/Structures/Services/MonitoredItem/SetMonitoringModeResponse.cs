using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.13.4.</summary>
[Structure(770, 772)]
public sealed partial class SetMonitoringModeResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public StatusCode[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
