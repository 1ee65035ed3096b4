using Gateway.Rest.Access;
using Gateway.Rest.Events;
using Gateway.Rest.Nodes;
using Gateway.Rest.Values;

namespace Gateway.Rest.Sockets;

/// <summary>The parts that the conversations of <c>/ws</c> share.</summary>
internal sealed class LiveParts(
    RestLimits limits, SocketCounters counters, LiveStreams streams, LiveAnswers answers, NodeList list,
    NodeNames names, EventForms forms, ValueWriting writing, RestRequests requests, RequestMemories memories,
    TimeProvider time)
{
    public RestLimits Limits => limits;

    public SocketCounters Counters => counters;

    public LiveStreams Streams => streams;

    public LiveAnswers Answers => answers;

    public NodeList List => list;

    public NodeNames Names => names;

    public EventForms Forms => forms;

    public ValueWriting Writing => writing;

    public RestRequests Requests => requests;

    /// <summary>A larger message is decoded behind the other requests that are larger than a turn.</summary>
    public int MaxImmediateBytes => memories.MaxImmediateBytes;

    public TimeProvider Time => time;
}
