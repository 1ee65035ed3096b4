namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.8.3.</summary>
[Structure(492, 494)]
public sealed partial class AddReferencesRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public AddReferencesItem[]? ReferencesToAdd { get; init; }
}
