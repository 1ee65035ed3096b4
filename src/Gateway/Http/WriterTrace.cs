using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.States;
using Gateway.Rest.Tracing;

namespace Gateway.Host.Http;

/// <inheritdoc cref="IWriterTrace"/>
internal sealed class WriterTrace(IPubSubState state) : IWriterTrace
{
    public IReadOnlyList<TraceHop> Trace(NodeId node)
    {
        var dataSets = state.FindDataSets(node);
        if (dataSets.Count == 0)
            return [];
        return
        [
            .. from connection in state.ReadConnections()
               from gr in connection.Groups
               from writer in gr.Writers
               where dataSets.Contains(writer.DataSet)
               select Hop(connection, gr, writer),
        ];
    }

    private static TraceHop Hop(ConnectionReport connection, GroupReport gr, WriterReport writer)
    {
        var isConnected = connection.State == PubSubState.Operational;
        var isFault = gr.Hindrance is not null || (!isConnected && connection.Store is null);
        return new TraceHop(
            "writers", $"DataSetWriter {writer.Name}",
            isFault ? HopState.Fault : isConnected ? HopState.Ok : HopState.Warning,
            gr.Hindrance is { } hindrance ? $"Its group publishes nothing: {hindrance}"
            : isConnected ? "It publishes."
            : connection.Store is null ? $"There is no connection: {connection.Detail}"
            : $"There is no connection; messages wait on the disk: {connection.Detail}")
        {
            Remedy = gr.Hindrance is not null
                ? "Look at the file of the group's KeysPath: it needs a key that is valid now and not used up."
                : isConnected ? null
                : "Look at the broker and at the address, user and password of this connection.",
            Facts =
            [
                ("connection", connection.Name), ("group", gr.Name), ("dataSet", writer.DataSet),
                ("topic", writer.Topic), ("messages", writer.Messages), ("lost", gr.Lost),
                ("waitingMessages", connection.Store?.Records), ("waitingBytes", connection.Store?.StoredBytes),
                ("oldestWaiting", connection.Store?.OldestTime),
            ],
        };
    }
}
