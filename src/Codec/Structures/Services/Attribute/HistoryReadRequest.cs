using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.11.3.</summary>
[Structure(662, 664)]
public sealed partial class HistoryReadRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public ExtensionObject HistoryReadDetails { get; init; }

    public TimestampsToReturn TimestampsToReturn { get; init; }

    public bool ReleaseContinuationPoints { get; init; }

    public HistoryReadValueId[]? NodesToRead { get; init; }
}
