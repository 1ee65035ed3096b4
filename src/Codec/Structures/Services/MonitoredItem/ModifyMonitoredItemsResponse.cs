using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.13.3.</summary>
[Structure(764, 766)]
public sealed partial class ModifyMonitoredItemsResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public MonitoredItemModifyResult[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
