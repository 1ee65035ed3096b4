namespace Gateway.Transport.Certificates.Inventory;

/// <summary>One file with a certificate revocation list. Texts are its maker's: not for a page as they are.</summary>
public sealed record RevocationEntry
{
    /// <summary>SHA-256 of the file, in upper-case hexadecimal.</summary>
    public required string Id { get; init; }

    public required CertificateStore Store { get; init; }

    /// <summary>The file's name in the folder.</summary>
    public required string File { get; init; }

    public required string Issuer { get; init; }

    public required DateTimeOffset ThisUpdate { get; init; }

    /// <summary>Null: it does not say.</summary>
    public required DateTimeOffset? NextUpdate { get; init; }

    /// <summary>Certificates that it names.</summary>
    public required int Revoked { get; init; }

    /// <summary>The whole path; not for a page.</summary>
    internal string Path { get; init; } = "";
}
