using Gateway.Codec.Types;
using Gateway.Rest.Tracing;

namespace Gateway.Host.Http;

/// <summary>The way of a value from a DataSetWriter on. There is none where nothing is published. Threads: any.
/// </summary>
internal interface IWriterTrace
{
    /// <summary>A hop for each DataSetWriter that publishes the node.</summary>
    IReadOnlyList<TraceHop> Trace(NodeId node);
}
