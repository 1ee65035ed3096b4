using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;

namespace Gateway.PubSub.Readers;

/// <summary>The parts of the gateway that readers use.</summary>
/// <param name="Nodes">Where fields become nodes.</param>
/// <param name="Values">Where their values go.</param>
/// <param name="Limits">Bounds.</param>
/// <param name="Time">The clock.</param>
internal sealed record ReaderParts(NodeTable Nodes, ValueStore Values, PubSubLimits Limits, TimeProvider Time)
{
    /// <summary>Of a message with the metadata of ten thousand fields.</summary>
    public const int MaxMetaDataBytes = 16 << 20;

    /// <summary>The namespaces that metadata brings.</summary>
    public ReaderNamespaces Namespaces { get; } = new(Nodes.Namespaces);

    /// <summary>The nodes that metadata makes.</summary>
    public NodeBudget Budget { get; } = new(Limits.MaxPubSubReaderBytes);
}
