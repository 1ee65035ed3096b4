using Gateway.Codec.Types;

namespace Gateway.PubSub.Groups;

/// <summary>The field that an item of the group's stream fills.</summary>
internal sealed class FieldPlace(DataSetWriter writer, NodeId node)
{
    public DataSetWriter Writer { get; } = writer;

    public NodeId Node { get; } = node;

    /// <summary>In the layout of now.</summary>
    public int Index { get; set; } = -1;

    /// <summary>Of its item; 0: it never had one.</summary>
    public uint Handle { get; set; }

    /// <summary>Of the monitored item; 0: the node cannot be watched.</summary>
    public uint ItemId { get; set; }
}
