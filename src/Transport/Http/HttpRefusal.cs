using System.Net.Sockets;
using System.Text;
using Gateway.Admission.Stages;

namespace Gateway.Transport.Http;

/// <summary>The answer to a rejected connection, before any byte of its request was read. Source: RFC 9457.</summary>
internal static class HttpRefusal
{
    private const int DrainBytes = 4096;

    /// <summary>Never waits. Bytes that have arrived are dropped first, so that the close behind them is no
    /// reset.</summary>
    public static void Answer(Socket socket, in Decision decision)
    {
        var isOfAddress = ReasonTable.HttpStatusOf(decision.Reason) == 429;
        var status = isOfAddress ? "429 Too Many Requests" : "503 Service Unavailable";
        var body = $$"""{"type":"about:blank","title":"Too many connections","status":{{status[..3]}},""" +
            $"\"statusCode\":\"{decision.Status}\"}}";
        var answer = $"HTTP/1.1 {status}\r\nContent-Type: application/problem+json\r\nCache-Control: no-store\r\n" +
            $"Retry-After: {decision.RetryAfterSeconds}\r\nConnection: close\r\n" +
            $"Content-Length: {body.Length}\r\n\r\n{body}";
        socket.Blocking = false;
        _ = socket.Receive(stackalloc byte[DrainBytes], SocketFlags.None, out _);
        _ = socket.Send(Encoding.ASCII.GetBytes(answer), SocketFlags.None, out _);
        socket.Shutdown(SocketShutdown.Send);
    }
}
