using Gateway.Codec;

namespace Gateway.Transport.Http;

/// <summary>Every limit of what one HTTP connection may say and how slowly, each finite; keys below <c>Limits:</c>. How
/// many there may be: <see cref="Admission.AdmissionLimits"/>.</summary>
public sealed class HttpLimits
{
    /// <summary>From the connection to its first request's complete header, and from a later header's first byte to its
    /// last.</summary>
    [CopiedAtStart]
    public TimeSpan HttpHeaderDeadline { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>TLS handshakes a second that begin, of all clients: each is a signature by the private key. Others
    /// wait, as long as <see cref="HttpHeaderDeadline"/> allows.</summary>
    public int MaxHttpTlsHandshakesPerSecond { get; init; } = 200;

    /// <summary>The same, of one IP address.</summary>
    public int MaxHttpTlsHandshakesPerSecondPerAddress { get; init; } = 50;

    /// <summary>From an answer to the next request's complete header.</summary>
    [CopiedAtStart]
    public TimeSpan HttpKeepAliveTime { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The first line of a request, in bytes (414).</summary>
    [CopiedAtStart]
    public int MaxHttpRequestLineBytes { get; init; } = 16 * 1024;

    /// <summary>All header fields of a request, in bytes (431).</summary>
    [CopiedAtStart]
    public int MaxHttpHeaderBytes { get; init; } = 16 * 1024;

    /// <summary>Header fields of a request (431).</summary>
    [CopiedAtStart]
    public int MaxHttpHeaders { get; init; } = 64;

    /// <summary>Requests under way at one time on one connection of HTTP/2; more of them wait at the client.</summary>
    [CopiedAtStart]
    public int MaxHttpRequestsPerConnection { get; init; } = 16;

    /// <summary>The body of a request (413).</summary>
    [CopiedAtStart]
    public int MaxHttpBodyBytes { get; init; } = 1024 * 1024;

    /// <summary>A body that comes, or an answer that is taken, more slowly ends the connection (408).</summary>
    [CopiedAtStart]
    public int MinHttpBytesPerSecond { get; init; } = 240;

    /// <summary>How long it may be slower at its beginning.</summary>
    [CopiedAtStart]
    public TimeSpan HttpGracePeriod { get; init; } = TimeSpan.FromSeconds(5);
}
