using Gateway.Admission.Clients;

namespace Gateway.Transport.Conversation;

/// <summary>
/// How a connection comes in, and how its peer's going shows: a feature that a transport sets on its connections. A
/// connection without this feature gets <see cref="AwaitedDoor"/>.
/// </summary>
public interface IConnectionDoor
{
    /// <summary>Monotonic timestamp of the connection's arrival, if it had to wait at the door; otherwise 0.</summary>
    long WaitedSince { get; }

    /// <summary>Completes when the connection may be served. The conversation disposes the pass. Errors:
    /// SecureChannelException when admission rejects the connection.</summary>
    ValueTask<ClientPass> AdmitAsync();

    /// <summary>Calls the watcher when the peer hangs up, also without a read; at once if it has done so already.
    /// </summary>
    /// <param name="watcher">Null ends the watch. There is one watcher at a time.</param>
    void Watch(IHangUpWatcher? watcher);

    /// <summary>For a transport whose connections make room for others as long as they have none.</summary>
    void SetActiveSession(bool active)
    {
    }
}
