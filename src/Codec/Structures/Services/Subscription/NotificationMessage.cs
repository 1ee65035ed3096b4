using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(803, 805)]
public sealed partial class NotificationMessage
{
    public uint SequenceNumber { get; init; }

    public DateTime PublishTime { get; init; }

    public ExtensionObject[]? NotificationData { get; init; }
}
