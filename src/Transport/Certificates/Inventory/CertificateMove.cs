namespace Gateway.Transport.Certificates.Inventory;

/// <summary>The result of an operator's change.</summary>
public enum CertificateMove
{
    Done,

    /// <summary>No folder holds such a certificate.</summary>
    Missing,

    /// <summary>It is the gateway's own, which is not touched.</summary>
    IsOwn,

    /// <summary>Its file holds others, too: it is the operator's to split.</summary>
    InBundle,

    /// <summary>Not one certificate, or not one revocation list.</summary>
    NotOne,

    /// <summary>It has a private key, which belongs to its owner alone.</summary>
    HasKey,

    /// <summary>No folder holds the certificate of its issuer.</summary>
    NoIssuer,

    /// <summary>The folders could not be changed.</summary>
    Failed,
}
