namespace Gateway.Operations.Access;

/// <summary>What the caps per user count by, whatever protocol the user comes by.</summary>
public static class UserKeys
{
    /// <summary>Anonymous clients are told apart by their certificate, those without one by their address.</summary>
    /// <param name="identity">Of the user.</param>
    /// <param name="certificate">Thumbprint; empty without one.</param>
    /// <param name="address">Where the client comes from.</param>
    public static string Of(UserIdentity identity, string certificate, string address) =>
        !identity.IsAnonymous ? $"{identity.Kind}:{identity.Key}"
        : certificate.Length > 0 ? "certificate:" + certificate
        : "address:" + address;
}
