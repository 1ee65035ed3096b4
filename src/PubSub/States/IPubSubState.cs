using Gateway.Codec.Types;

namespace Gateway.PubSub.States;

/// <summary>The publisher's connections and data sets, and how they do. Threads: any.</summary>
public interface IPubSubState
{
    string PublisherId { get; }

    IReadOnlyList<ConnectionReport> ReadConnections();

    IReadOnlyList<DataSetReport> ReadDataSets();

    /// <summary>The names of the data sets that have the node as a field now.</summary>
    IReadOnlyCollection<string> FindDataSets(NodeId node);
}
