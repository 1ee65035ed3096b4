using Gateway.Codec.Types;
using Gateway.Publish.Durable;

namespace Gateway.Publish;

/// <summary>The owner of a session, as far as subscriptions care. Immutable. Source: Part 4 §5.14.7.</summary>
/// <param name="UserKey">Identifies a user of any kind; the caps per user (R09) count by it.</param>
/// <param name="IsAnonymous">The user has no name.</param>
/// <param name="ApplicationUri">Of the client; proven only where the channel is signed.</param>
/// <param name="IsSigned">The channel's mode is Sign or SignAndEncrypt.</param>
public sealed record SessionOwner(string UserKey, bool IsAnonymous, string ApplicationUri, bool IsSigned)
{
    /// <summary>No session may take over from it.</summary>
    public static SessionOwner Unknown { get; } = new(string.Empty, true, string.Empty, false);

    /// <summary>For diagnostics.</summary>
    public NodeId SessionId { get; init; }

    /// <summary>Thumbprint of the client's certificate; empty without security.</summary>
    public string Certificate { get; init; } = string.Empty;

    /// <summary>Where the session came from; empty where that is not known.</summary>
    public string Address { get; init; } = string.Empty;

    /// <summary>Keeps the session over a restart together with its durable subscriptions; null: it ends with the
    /// process.</summary>
    public ISessionMemo? Memo { get; init; }

    /// <summary>The key by which a victim's owner is found when room is needed.</summary>
    public string HolderKey =>
        Certificate.Length > 0 ? Certificate
        : Address.Length > 0 ? Address
        : UserKey;

    /// <summary>The same user, or the same signed application where the user is anonymous.</summary>
    public bool MayTakeOverFrom(SessionOwner other)
    {
        if (IsAnonymous != other.IsAnonymous)
            return false;
        return IsAnonymous
            ? IsSigned && other.IsSigned && IsSameClient(other)
            : string.Equals(UserKey, other.UserKey, StringComparison.Ordinal);
    }

    public bool IsSameClient(SessionOwner other) =>
        string.Equals(ApplicationUri, other.ApplicationUri, StringComparison.Ordinal);
}
