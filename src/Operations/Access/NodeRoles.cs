namespace Gateway.Operations.Access;

/// <summary>The well-known roles of the standard. Information models grant permissions to them. A user has any number
/// of them. Source: Part 3 §4.9.2, Part 18 §4.3.</summary>
[Flags]
public enum NodeRoles
{
    None = 0,

    /// <summary>Every session has it.</summary>
    Anonymous = 1,
    AuthenticatedUser = 2,
    TrustedApplication = 4,
    Observer = 8,
    Operator = 16,
    Engineer = 32,
    Supervisor = 64,
    ConfigureAdmin = 128,
    SecurityAdmin = 256,
}
