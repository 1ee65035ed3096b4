using Gateway.Rest.Access;
using Gateway.Rest.Nodes;
using Gateway.Rest.Values;

namespace Gateway.Rest.Sockets;

/// <summary>What the conversations of <c>/ws</c> share.</summary>
internal sealed class LiveParts(
    RestLimits limits, SocketBook book, LiveStreams streams, LiveAnswers answers, NodeList list, NodeNames names,
    ValueWriting writing, RestRequests requests, TimeProvider time)
{
    public RestLimits Limits => limits;

    public SocketBook Book => book;

    public LiveStreams Streams => streams;

    public LiveAnswers Answers => answers;

    public NodeList List => list;

    public NodeNames Names => names;

    public ValueWriting Writing => writing;

    public RestRequests Requests => requests;

    public TimeProvider Time => time;
}
