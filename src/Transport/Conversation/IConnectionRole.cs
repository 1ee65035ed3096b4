using Gateway.Codec.Binary;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>The decisions of one side of a conversation: server or client. Members are called on the connection's loop
/// unless they say otherwise.</summary>
internal interface IConnectionRole
{
    /// <summary>Of the next message. Any thread.</summary>
    MessageLimits MessageLimits { get; }

    /// <summary>Before anything is read. Errors: SecureChannelException.</summary>
    ValueTask StartAsync();

    /// <summary>Any frame but ERR; role and phase decide what may come. Errors: SecureChannelException.</summary>
    void CheckFrame(in FrameHeader header);

    /// <summary>The body of HEL at the server, of ACK at the client. Errors: SecureChannelException.</summary>
    void OnHello(ref UaBinaryReader reader);

    /// <summary>Works on an OPN; the loop waits. Errors: SecureChannelException.</summary>
    ValueTask OpenAsync(byte[] chunk);

    /// <summary>A CLO that is genuine. Errors: SecureChannelException.</summary>
    void OnCloseRequested();

    /// <summary>The role's own deadline that passed; null: none. On the deadline loop; must not block.</summary>
    ChannelCloseReason? CheckDeadlines(long now);

    /// <summary>Tells the watcher when the peer hangs up; null ends the watch.</summary>
    void Watch(IHangUpWatcher? watcher);

    /// <summary>An end was set from outside the loop. Any thread.</summary>
    void OnWoken();

    /// <summary>The connection is over. Once, the last call.</summary>
    /// <returns>Whether a caller of ours gets the end with its detail as an error, and logs it.</returns>
    bool OnFinished(ConnectionEnd end);

    /// <summary>In order, by our side. Any thread.</summary>
    void Close();

    /// <summary>The channel has gained its first active session, or lost its last. Any thread.</summary>
    void SetActiveSession(bool active);
}
