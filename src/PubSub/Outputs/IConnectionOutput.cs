using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;

namespace Gateway.PubSub.Outputs;

/// <summary>The output of a connection, with its life.</summary>
internal interface IConnectionOutput : IMessageOutput, IAsyncDisposable
{
    /// <summary>For the messages of a group.</summary>
    INetworkMessageWriter WriterOf(WriterGroupOptions group, GroupDescription description);

    void Start();

    /// <summary>The report with the output's part.</summary>
    ConnectionReport Describe(ConnectionReport report);
}
