namespace Gateway.Operations.Access;

/// <summary>The keys that the caps for each user count by, the same for every protocol.</summary>
public static class UserKeys
{
    /// <summary>Anonymous clients count by their certificate, or by their address without one.</summary>
    /// <param name="identity">The user.</param>
    /// <param name="certificate">Thumbprint; empty without one.</param>
    /// <param name="address">The client's address.</param>
    public static string Of(UserIdentity identity, string certificate, string address) =>
        !identity.IsAnonymous ? $"{identity.Kind}:{identity.Key}"
        : certificate.Length > 0 ? "certificate:" + certificate
        : "address:" + address;
}
