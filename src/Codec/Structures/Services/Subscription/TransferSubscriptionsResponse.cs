using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.7.</summary>
[Structure(842, 844)]
public sealed partial class TransferSubscriptionsResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public TransferResult[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
