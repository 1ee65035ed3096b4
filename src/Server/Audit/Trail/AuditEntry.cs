using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Sessions;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Audit.Trail;

/// <summary>One security-relevant event on its way to those who listen. Its parts are references; nothing is made for
/// it.</summary>
/// <param name="Kind">The event.</param>
/// <param name="Status">The result that the peer gets.</param>
/// <param name="Facts">The subject.</param>
internal readonly record struct AuditEntry(AuditEvent Kind, StatusCode Status, AuditFacts Facts)
{
    /// <summary>Null where there is none, or none yet.</summary>
    public SecureChannel? Channel { get; init; }

    public Session? Session { get; init; }

    /// <summary>A channel that did not come to be.</summary>
    public OpenRefusal? Refusal { get; init; }

    /// <summary>The user's name, escaped; null or empty: none.</summary>
    public string? User { get; init; }

    public UserIdentity? Identity { get; init; }

    /// <summary>The protocol; null: UA-TCP.</summary>
    public string? Door { get; init; }

    /// <summary>The peer's, where there is no channel.</summary>
    public string? Address { get; init; }

    /// <summary>The peer's, where there is no channel.</summary>
    public string? Thumbprint { get; init; }

    /// <summary>Our own text, escaped.</summary>
    public string? Detail { get; init; }

    /// <summary>Not 0: it stands for so many events that were counted and not listed.</summary>
    public long Dropped { get; init; }
}
