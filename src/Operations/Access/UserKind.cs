namespace Gateway.Operations.Access;

/// <summary>The user tokens that the server knows. Source: Part 4 §7.41.</summary>
public enum UserKind
{
    Anonymous,
    UserName,
    Certificate,

    /// <summary>By a token of an authorization service.</summary>
    IssuedToken,
}
