using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.14.5.</summary>
[Structure(827, 829)]
public sealed partial class PublishResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public uint SubscriptionId { get; init; }

    public uint[]? AvailableSequenceNumbers { get; init; }

    public bool MoreNotifications { get; init; }

    public NotificationMessage NotificationMessage { get; init; } = new();

    public StatusCode[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
