using Gateway.Codec.Structures;
using Gateway.Server.Sessions;
using Gateway.Server.Users;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Access;

/// <summary>Who asks, over what, and in which languages: all that a check of rights looks at, and what texts are chosen
/// by. A small value, made once a request. The default may do nothing.</summary>
public readonly struct Caller
{
    /// <param name="identity">Null before a user is known: nothing is allowed.</param>
    /// <param name="mode">Of the connection that the request came by.</param>
    /// <param name="isTrustedApplication">The client proved a trusted certificate on that connection.</param>
    /// <param name="hasSession">False for a call without one.</param>
    public Caller(UserIdentity? identity, MessageSecurityMode mode, bool isTrustedApplication, bool hasSession)
    {
        if (identity is null)
            return;
        Roles = identity.Roles;
        IsSigned = mode is MessageSecurityMode.Sign or MessageSecurityMode.SignAndEncrypt;
        IsEncrypted = mode == MessageSecurityMode.SignAndEncrypt;
        HasSession = hasSession;
        NodeRoles = RoleMap.ToNodeRoles(Roles) | NodeRoles.Anonymous;
        if (!identity.IsAnonymous)
            NodeRoles |= NodeRoles.AuthenticatedUser;
        if (IsSigned && isTrustedApplication)
            NodeRoles |= NodeRoles.TrustedApplication;
    }

    /// <summary>Of the session, in order of priority; null for none.</summary>
    public string[]? Locales { get; private init; }

    /// <summary>The gateway's.</summary>
    public Roles Roles { get; }

    /// <summary>The standard's.</summary>
    internal NodeRoles NodeRoles { get; }

    public bool IsSigned { get; }

    public bool IsEncrypted { get; }

    public bool HasSession { get; }

    /// <summary>By a session on a SecureChannel; its certificate was checked when it was opened.</summary>
    internal static Caller Of(UserIdentity? identity, SecureChannel channel, Session? session) =>
        new(identity, channel.SecurityMode, channel.PeerThumbprint.Length > 0, hasSession: true)
        {
            Locales = session?.LocaleIds,
        };
}
