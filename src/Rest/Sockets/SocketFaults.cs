using System.Net.WebSockets;
using Gateway.Rest.Answers;

namespace Gateway.Rest.Sockets;

/// <summary>Exceptions of a lost connection.</summary>
internal static class SocketFaults
{
    public static bool IsOfPeer(Exception error) => error is WebSocketException or OperationCanceledException
        or AnswerEndedException or IOException or ObjectDisposedException or InvalidOperationException
    {
        InnerException: WebSocketException,
    };
}
