using Gateway.Codec.Types;

namespace Gateway.PubSub.States;

/// <summary>The publisher's connections and data sets, and how they do. Threads: any.</summary>
public interface IPubSubState
{
    string PublisherId { get; }

    /// <param name="explainsGaps">False: without <see cref="ConnectionReport.Gaps"/>, for those who look often.
    /// </param>
    IReadOnlyList<ConnectionReport> ReadConnections(bool explainsGaps = false);

    IReadOnlyList<DataSetReport> ReadDataSets();

    /// <summary>The names of the data sets that have the node as a field now.</summary>
    IReadOnlyCollection<string> FindDataSets(NodeId node);
}
