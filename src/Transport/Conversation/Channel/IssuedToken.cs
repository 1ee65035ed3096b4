using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>One issued token with its two keyed directions. Owner: the connection; <see cref="Outgoing"/> is used and
/// disposed under the sender's lock, <see cref="Incoming"/> by the read loop. Times: monotonic timestamps (R28).
/// </summary>
internal sealed class IssuedToken
{
    public required uint TokenId { get; init; }

    public required ChunkProtection Outgoing { get; init; }

    public required ChunkProtection Incoming { get; init; }

    public required long IssuedAt { get; init; }

    public required TimeSpan Lifetime { get; init; }

    /// <summary>Refused from here on: a quarter over the lifetime (R27).</summary>
    public bool IsExpired(TimeProvider time, long now) => time.GetElapsedTime(IssuedAt, now) > Lifetime * 1.25;

    /// <summary>When a client asks for the next one.</summary>
    public bool IsRenewalDue(TimeProvider time, long now) => time.GetElapsedTime(IssuedAt, now) > Lifetime * 0.75;
}
