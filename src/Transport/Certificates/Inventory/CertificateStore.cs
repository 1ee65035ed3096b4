namespace Gateway.Transport.Certificates.Inventory;

/// <summary>The folders of <see cref="PkiStore"/> that hold certificates, in the order of a list.</summary>
public enum CertificateStore
{
    /// <summary>The gateway's own.</summary>
    Own,

    Rejected,

    /// <summary>Applications and authorities that are trusted.</summary>
    Trusted,

    /// <summary>Authorities that only complete chains.</summary>
    Issuer,

    /// <summary>As <see cref="Trusted"/>, of users.</summary>
    TrustedUser,

    /// <summary>As <see cref="Issuer"/>, of users.</summary>
    IssuerUser,
}
