namespace Gateway.Transport.Conversation;

/// <summary>A request that goes on after <see cref="IChannelHandler.OnMessage"/> has returned, on other threads. Its
/// channel hands over nothing more meanwhile, so that one connection has one of them at most.</summary>
public interface IUnfinishedRequest
{
    /// <summary>Completes when the request is answered or given up; awaiting it continues elsewhere.</summary>
    Task Done { get; }

    /// <summary>Bytes kept of its message; they count for the connection.</summary>
    int HeldBytes { get; }

    /// <summary>The peer has gone or the connection ends: the answer is not needed any more. Any thread, perhaps more
    /// than once.</summary>
    void Leave();
}
