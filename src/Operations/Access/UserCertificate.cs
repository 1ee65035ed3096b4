namespace Gateway.Operations.Access;

/// <summary>The certificate that proved a user: when trust changes it is judged again. Threads: any.</summary>
/// <param name="thumbprint">Of the leaf.</param>
/// <param name="chain">The leaf, then those issuers that only the user's client knew, DER after DER.</param>
public sealed class UserCertificate(string thumbprint, byte[] chain) : UserGrant
{
    public string Thumbprint => thumbprint;

    public ReadOnlyMemory<byte> Chain => chain;
}
