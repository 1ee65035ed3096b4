using Gateway.Codec.Structures;

namespace Gateway.Operations.Access;

/// <summary>The user of a request, with its protocol, the connection's protection, its address and its locales.
/// Permission checks, the choice of texts and the accounting of quotas all use it. Immutable. A protocol reuses it
/// while none of this changes.</summary>
public sealed class Caller
{
    /// <param name="identity">Null before a user is known: nothing is allowed.</param>
    /// <param name="door">The protocol of the request.</param>
    /// <param name="mode">The security mode of the request's connection.</param>
    /// <param name="isTrustedApplication">The client proved a trusted certificate on that connection.</param>
    /// <param name="hasSession">False for a call without a session.</param>
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

    /// <summary>The address that the request came from; empty inside the gateway.</summary>
    public string Address { get; init; } = string.Empty;

    /// <summary>Thumbprint of the client's certificate; empty without one.</summary>
    public string Certificate { get; init; } = string.Empty;

    /// <summary>The key of the caps for each user; empty before a user is known.</summary>
    public string Account => Identity is null ? string.Empty : UserKeys.Of(Identity, Certificate, Address);

    /// <summary>In order of priority; null for none.</summary>
    public string[]? Locales { get; init; }

    /// <summary>The gateway's roles.</summary>
    public Roles Roles { get; }

    /// <summary>The standard's roles.</summary>
    public NodeRoles NodeRoles { get; }

    public bool IsSigned { get; }

    public bool IsEncrypted { get; }

    public bool HasSession { get; }
}
