using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;

namespace Gateway.PubSub.Outputs;

/// <summary>The output of a connection, with its life.</summary>
internal interface IConnectionOutput : IMessageOutput, IAsyncDisposable
{
    /// <summary>For the messages of a group.</summary>
    INetworkMessageWriter WriterOf(WriterGroupOptions group, GroupDescription description);

    bool IsStarted { get; }

    void Start();

    /// <summary>Other groups, at the same address and in the same mappings: subscribers get the new description.
    /// </summary>
    void Change(ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets);

    /// <summary>Writers that have ended: who comes later gets no metadata of them.</summary>
    /// <param name="group">Theirs.</param>
    /// <param name="writers">Not all of them may have ended.</param>
    void Withdraw(WriterGroupOptions group, IEnumerable<DataSetWriterOptions> writers);

    /// <summary>The report with the output's part.</summary>
    /// <param name="report">Without it.</param>
    /// <param name="explainsGaps">With the tags of each loss, which is much to find out.</param>
    ConnectionReport Describe(ConnectionReport report, bool explainsGaps);
}
