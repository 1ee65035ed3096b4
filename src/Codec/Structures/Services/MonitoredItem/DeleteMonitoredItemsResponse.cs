using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.13.6.</summary>
[Structure(782, 784)]
public sealed partial class DeleteMonitoredItemsResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public StatusCode[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
