using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Publish;

/// <summary>The session's current secure channel, as the publish engine sees it. Threads: any; sends leave in call
/// order and must not block.</summary>
public interface INotificationOutput
{
    /// <summary>The largest whole message that the peer accepts; 0 means no limit was given.</summary>
    int MaxResponseSizeBytes { get; }

    /// <summary>False: the channel is gone, and messages are lost.</summary>
    bool IsOpen => true;

    /// <summary>Seals and queues the message; the buffer is the caller's again when this returns, its content is not.
    /// Errors: a bad status when the channel is gone or the message does not fit; nothing was sent then.</summary>
    StatusCode Send(PooledBuffer message, uint requestId);

    /// <summary>Once behind all that one sweep sent.</summary>
    void Flush();

    /// <summary>The oldest held Publish request made room for a newer one and was answered so. Under the shard's lock:
    /// must not block.</summary>
    void OnPublishRequestRefused()
    {
    }
}
