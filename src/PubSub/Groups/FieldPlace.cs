using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.Groups;

/// <summary>The field that an item of the group's stream fills.</summary>
internal sealed class FieldPlace(DataSetWriter writer, NodeId node, FieldOptions? options)
{
    public DataSetWriter Writer { get; } = writer;

    public NodeId Node { get; } = node;

    /// <summary>The node is a notifier, whose events fill all fields; null: it is a Variable.</summary>
    public EventFilter? Events { get; init; }

    public double SamplingIntervalMs =>
        options?.SamplingIntervalMs ?? Writer.DataSet.Options.SamplingIntervalMs;

    public double Deadband => options?.Deadband ?? Writer.DataSet.Options.Deadband;

    /// <summary>In the layout of now.</summary>
    public int Index { get; set; } = -1;

    /// <summary>Of its item; 0: it never had one.</summary>
    public uint Handle { get; set; }

    /// <summary>Of the monitored item; 0: the node cannot be watched.</summary>
    public uint ItemId { get; set; }
}
