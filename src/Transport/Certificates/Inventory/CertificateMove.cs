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

    /// <summary>The folders could not be changed.</summary>
    Failed,
}
