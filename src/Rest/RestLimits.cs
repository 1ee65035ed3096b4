using Gateway.Codec;

namespace Gateway.Rest;

/// <summary>Every limit of one request of the resource API, each finite; keys below <c>Limits:</c>. Sizes and rates of
/// HTTP itself: <see cref="Transport.Http.HttpLimits"/>.</summary>
public sealed class RestLimits
{
    /// <summary>Nodes that one request reads, writes or watches (400).</summary>
    public int MaxHttpNodes { get; init; } = 10_000;

    /// <summary>Nodes in one page of a list; a larger limit is cut to it.</summary>
    public int MaxHttpPageNodes { get; init; } = 1_000;

    /// <summary>From the complete request to the answer of the last source (504); before that, for the body (408).
    /// </summary>
    public TimeSpan HttpRequestTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Streams that clients have or may come back to (429).</summary>
    public int MaxHttpStreams { get; init; } = 1_536;

    /// <summary>The same, of one user (429).</summary>
    public int MaxHttpStreamsPerUser { get; init; } = 1_280;

    /// <summary>The same, of one address (429).</summary>
    public int MaxHttpStreamsPerAddress { get; init; } = 1_280;

    /// <summary>From the last event of a stream to a comment, which keeps the connection.</summary>
    public TimeSpan HttpStreamHeartbeat { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>How long a stream whose connection has ended is kept for a client that comes back.</summary>
    public TimeSpan HttpStreamResumeTime { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Events of a stream that are kept for a client that comes back.</summary>
    public int MaxHttpStreamEvents { get; init; } = 100;

    /// <summary>The same, in bytes.</summary>
    public int MaxHttpStreamHistoryBytes { get; init; } = 256 * 1024;

    /// <summary>Encoded values that all streams share, with the values themselves.</summary>
    public long MaxHttpStreamCacheBytes { get; init; } = 16L * 1024 * 1024;

    /// <summary>WebSockets (503); below MaxHttpConnections, because one that carries JSON is never asked to make room.
    /// </summary>
    public int MaxHttpWebSockets { get; init; } = 1_280;

    /// <summary>The same, of one address (429).</summary>
    public int MaxHttpWebSocketsPerAddress { get; init; } = 1_024;

    /// <summary>Messages that one WebSocket may send in a second, with bursts of three times as many.</summary>
    public int MaxHttpWebSocketOpsPerSecond { get; init; } = 100;

    /// <summary>Frames without data (ping, pong, empty fragments) that one WebSocket may send in a second, with bursts
    /// of three times as many.</summary>
    public int MaxHttpWebSocketControlFramesPerSecond { get; init; } = 50;

    /// <summary>From the start of a WebSocket without a user to its login.</summary>
    public TimeSpan HttpWebSocketLoginTime { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Bytes of a message of a WebSocket without a user (1009).</summary>
    public int MaxHttpWebSocketLoginBytes { get; init; } = 16 * 1024;

    /// <summary>From the last message of a WebSocket that watches nothing to its end.</summary>
    public TimeSpan HttpWebSocketIdleTime { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Bytes of the nodes that streams watch (503), and of the events that are kept for clients that come
    /// back: these take at most half of it.</summary>
    [CopiedAtStart]
    public long MaxHttpStreamsBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>Bytes of request bodies that are held at one time (503).</summary>
    [CopiedAtStart]
    public long MaxHttpBodiesBytes { get; init; } = 64L * 1024 * 1024;

    /// <summary>Bytes of long answers and events, and of what sources answered for them, that wait for their clients at
    /// one time (503).</summary>
    [CopiedAtStart]
    public long MaxHttpAnswersBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>Connections to upstreams that are being tried at one time (429): people try one after the other.
    /// </summary>
    public int MaxHttpUpstreamTests { get; init; } = 4;
}
