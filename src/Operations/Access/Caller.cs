using Gateway.Codec.Structures;

namespace Gateway.Operations.Access;

/// <summary>Who asks, by which door, how that is protected, from where, and in which languages: all that a check of
/// rights looks at, what texts are chosen by, and whose account pays. Immutable. A door keeps it as long as nothing of
/// it changes.</summary>
public sealed class Caller
{
    /// <param name="identity">Null before a user is known: nothing is allowed.</param>
    /// <param name="door">Which way the request came.</param>
    /// <param name="mode">Of the connection that the request came by.</param>
    /// <param name="isTrustedApplication">The client proved a trusted certificate on that connection.</param>
    /// <param name="hasSession">False for a call without one.</param>
    public Caller(
        UserIdentity? identity, CallerDoor door, MessageSecurityMode mode, bool isTrustedApplication, bool hasSession)
    {
        (Identity, Door) = (identity, door);
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

    public UserIdentity? Identity { get; }

    public CallerDoor Door { get; }

    /// <summary>Where the request came from; empty inside the gateway.</summary>
    public string Address { get; init; } = string.Empty;

    /// <summary>Thumbprint of the client's certificate; empty without one.</summary>
    public string Certificate { get; init; } = string.Empty;

    /// <summary>What the caps per user count by; empty before a user is known.</summary>
    public string Account => Identity is null ? string.Empty : UserKeys.Of(Identity, Certificate, Address);

    /// <summary>In order of priority; null for none.</summary>
    public string[]? Locales { get; init; }

    /// <summary>The gateway's.</summary>
    public Roles Roles { get; }

    /// <summary>The standard's.</summary>
    public NodeRoles NodeRoles { get; }

    public bool IsSigned { get; }

    public bool IsEncrypted { get; }

    public bool HasSession { get; }
}
