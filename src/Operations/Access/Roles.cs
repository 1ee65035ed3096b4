namespace Gateway.Operations.Access;

/// <summary>The gateway's roles; a user has any number of them. Operator includes Observer, and Engineer includes
/// Operator. SecurityAdmin may do what Observer may, and also manages certificates and users (docs/access.md#roles).
/// </summary>
[Flags]
public enum Roles
{
    None = 0,
    Observer = 1,
    Operator = 2,
    Engineer = 4,
    SecurityAdmin = 8,
}
