namespace Gateway.Transport.Certificates.Inventory;

/// <summary>One certificate in the PKI folders. Texts of the certificate are its maker's: not for a page as they are.
/// </summary>
public sealed record CertificateEntry
{
    public required CertificateStore Store { get; init; }

    /// <summary>The file's name in the folder.</summary>
    public required string File { get; init; }

    /// <summary>SHA-1 in upper-case hexadecimal.</summary>
    public required string Thumbprint { get; init; }

    public required string Subject { get; init; }

    public required string Issuer { get; init; }

    public required string? ApplicationUri { get; init; }

    public required DateTimeOffset NotBefore { get; init; }

    public required DateTimeOffset NotAfter { get; init; }

    public required bool IsAuthority { get; init; }

    /// <summary>Of a rejected one, since the start; null: nothing is known.</summary>
    public Rejection? Rejection { get; init; }

    /// <summary>Of a rejected one: why it was refused, or would be now; null: it would be accepted.</summary>
    public string? Reason { get; init; }

    /// <summary>When the file was written.</summary>
    public required DateTimeOffset WrittenAt { get; init; }

    /// <summary>As it is in files.</summary>
    public ReadOnlyMemory<byte> Der => Facts.Der;

    /// <summary>The same as text.</summary>
    public string ToPem() => new(System.Security.Cryptography.PemEncoding.Write("CERTIFICATE", Facts.Der));

    /// <summary>The whole path; not for a page.</summary>
    internal string Path { get; init; } = "";

    /// <summary>Its file holds no other.</summary>
    internal bool IsAlone { get; init; }

    internal LeafFacts Facts { get; init; } = null!;
}
