namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.5.3.</summary>
[Structure(12190, 12208)]
public sealed partial class FindServersOnNetworkRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public uint StartingRecordId { get; init; }

    public uint MaxRecordsToReturn { get; init; }

    public string?[]? ServerCapabilityFilter { get; init; }
}
