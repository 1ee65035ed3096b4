namespace Gateway.Codec.Structures;

public enum IdentityCriteriaType
{
    UserName = 1,
    Thumbprint = 2,
    Role = 3,
    GroupId = 4,
    Anonymous = 5,
    AuthenticatedUser = 6,
    Application = 7,
    X509Subject = 8,
    TrustedApplication = 9,
}
