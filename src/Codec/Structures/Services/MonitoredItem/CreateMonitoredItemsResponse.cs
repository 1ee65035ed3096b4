using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.13.2.</summary>
[Structure(752, 754)]
public sealed partial class CreateMonitoredItemsResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public MonitoredItemCreateResult[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
