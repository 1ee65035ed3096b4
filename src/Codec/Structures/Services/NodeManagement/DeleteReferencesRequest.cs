namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.8.5.</summary>
[Structure(504, 506)]
public sealed partial class DeleteReferencesRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public DeleteReferencesItem[]? ReferencesToDelete { get; init; }
}
