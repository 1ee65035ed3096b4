using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.11.5.</summary>
[Structure(698, 700)]
public sealed partial class HistoryUpdateRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public ExtensionObject[]? HistoryUpdateDetails { get; init; }
}
