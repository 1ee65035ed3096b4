namespace Gateway.Host.Tls;

/// <summary>The options of <c>Http:Tls:*</c>.</summary>
/// <param name="CertificatePath">PEM: the certificate, and behind it those of its authorities.</param>
/// <param name="KeyPath">PEM: its key, without a password. May be the same file.</param>
internal sealed record TlsOptions(string CertificatePath, string KeyPath)
{
    /// <summary>Of one file.</summary>
    public const int MaxFileBytes = 256 * 1024;

    public string[] Paths => [CertificatePath, KeyPath];
}
