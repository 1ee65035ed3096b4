namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.6.</summary>
[Structure(833, 835)]
public sealed partial class RepublishResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public NotificationMessage NotificationMessage { get; init; } = new();
}
