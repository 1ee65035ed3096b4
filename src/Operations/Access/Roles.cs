namespace Gateway.Operations.Access;

/// <summary>What a user may be; a user has any number of them. Operator includes what Observer may, Engineer what
/// Operator may; SecurityAdmin adds certificates and users to what Observer may (docs/access.md#roles).</summary>
[Flags]
public enum Roles
{
    None = 0,
    Observer = 1,
    Operator = 2,
    Engineer = 4,
    SecurityAdmin = 8,
}
