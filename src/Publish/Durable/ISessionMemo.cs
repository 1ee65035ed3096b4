namespace Gateway.Publish.Durable;

/// <summary>A session as its durable subscriptions keep it on disk, so that its client can activate it again behind a
/// restart of the gateway. Threads: the saver's.</summary>
public interface ISessionMemo
{
    /// <summary>The next process waits so long for the client.</summary>
    TimeSpan Timeout { get; }

    /// <summary>In the server's own form; null: the session is over.</summary>
    byte[]? Make();
}
