using Gateway.Codec.Structures;

namespace Gateway.Operations.Access;

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
    public string[]? Locales { get; init; }

    /// <summary>The gateway's.</summary>
    public Roles Roles { get; }

    /// <summary>The standard's.</summary>
    public NodeRoles NodeRoles { get; }

    public bool IsSigned { get; }

    public bool IsEncrypted { get; }

    public bool HasSession { get; }
}
