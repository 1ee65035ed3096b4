namespace Gateway.Server.Users;

/// <summary>Why a token of an authorization service is refused. The peer may be told: it has the token, and learns
/// nothing of others.</summary>
public enum TokenFault
{
    None,

    /// <summary>No JSON Web Token that can be read, or one without what every token must have.</summary>
    Malformed,
    TooLarge,

    /// <summary>Signed by an algorithm that no key of the gateway is for, or not at all.</summary>
    Algorithm,

    /// <summary>Signed by a key that the gateway does not have.</summary>
    UnknownKey,
    Signature,
    Issuer,
    Audience,
    Expired,
    NotYetValid,

    /// <summary>It is right, but none of its claims gives a role here.</summary>
    NoRole,

    /// <summary>The gateway has no keys yet to check it with.</summary>
    NoKeys,

    /// <summary>Tokens are not configured.</summary>
    NotOffered,
}
