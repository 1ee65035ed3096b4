using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Transport.Conversation;

/// <summary>Carries a channel's messages: its connection, or a test's recorder. Any thread.</summary>
public interface IChannelLink
{
    bool IsOpen { get; }

    int MaxResponseSizeBytes { get; }

    StatusCode Send(PooledBuffer message, uint requestId);

    StatusCode SendAbort(uint requestId, StatusCode error, string reason);

    void Flush();

    /// <summary>On the connection's thread: no message is handed over before this request has ended.</summary>
    void WaitFor(IUnfinishedRequest request)
    {
    }

    /// <summary>On the connection's thread, while a message is handed over: its memory, to be disposed of by the
    /// caller; null where it has none of its own.</summary>
    PooledBuffer? TakeMessage() => null;

    void Abort(StatusCode reason, string detail);

    void Close();

    void SetActiveSession(bool active);
}
