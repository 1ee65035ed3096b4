namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.10.3.</summary>
[Structure(613, 615)]
public sealed partial class QueryFirstRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public ViewDescription View { get; init; } = new();

    public NodeTypeDescription[]? NodeTypes { get; init; }

    public ContentFilter Filter { get; init; } = new();

    public uint MaxDataSetsToReturn { get; init; }

    public uint MaxReferencesToReturn { get; init; }
}
