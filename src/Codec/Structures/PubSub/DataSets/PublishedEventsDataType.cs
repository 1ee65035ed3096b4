using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15582, 15681)]
public sealed partial class PublishedEventsDataType : PublishedDataSetSourceDataType
{
    public NodeId EventNotifier { get; init; }

    public SimpleAttributeOperand[]? SelectedFields { get; init; }

    public ContentFilter Filter { get; init; } = new();
}
