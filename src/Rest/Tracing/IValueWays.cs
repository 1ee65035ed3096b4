using Gateway.AddressSpace.Nodes;

namespace Gateway.Rest.Tracing;

/// <summary>The parts of a value's way that this project does not know: drivers before the store, PubSub behind it.
/// Threads: any.</summary>
public interface IValueWays
{
    /// <summary>The source of the node, and where there is one its item at the other side.</summary>
    IReadOnlyList<TraceHop> TraceSource(NodeHandle node);

    /// <summary>The connections that bring no nodes now: the reason why one may be unknown.</summary>
    IReadOnlyList<TraceHop> TraceAwaySources();

    /// <summary>The DataSetWriters that publish the node, and their connections; none where nothing is published.
    /// </summary>
    IReadOnlyList<TraceHop> TraceWriters(NodeHandle node);
}
