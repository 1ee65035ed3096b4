namespace Gateway.Transport.Certificates;

/// <summary>What one certificate blob comes to under one trust list, without what changes by itself (time) or from
/// call to call (policy, ApplicationUri). Immutable, cached.</summary>
internal sealed class ChainAnalysis
{
    /// <summary>Null when the blob holds no certificate that could be read.</summary>
    public CertificateFacts? Leaf { get; init; }

    /// <summary>The faults that last as long as the trust list does.</summary>
    public CertificateFault Fault { get; init; }

    public long TrustListVersion { get; init; }

    /// <summary>All issuers are valid inside this span.</summary>
    public DateTimeOffset IssuersNotBefore { get; init; } = DateTimeOffset.MinValue;

    public DateTimeOffset IssuersNotAfter { get; init; } = DateTimeOffset.MaxValue;

    /// <summary>The smallest RSA key above the leaf.</summary>
    public int IssuersKeyBits { get; init; } = int.MaxValue;

    /// <summary>Until when the lists that spoke for the leaf are current.</summary>
    public DateTimeOffset RevocationCurrentUntil { get; init; } = DateTimeOffset.MaxValue;

    public DateTimeOffset IssuerRevocationCurrentUntil { get; init; } = DateTimeOffset.MaxValue;

    public CertificateFault FaultAt(DateTimeOffset now)
    {
        var fault = Fault;
        if (Leaf is null)
            return fault;
        if (now < Leaf.NotBefore)
            fault |= CertificateFault.NotYetValid;
        if (now > Leaf.NotAfter)
            fault |= CertificateFault.Expired;
        if (now < IssuersNotBefore || now > IssuersNotAfter)
            fault |= CertificateFault.IssuerTimeInvalid;
        if (now > RevocationCurrentUntil)
            fault |= CertificateFault.RevocationUnknown;
        if (now > IssuerRevocationCurrentUntil)
            fault |= CertificateFault.IssuerRevocationUnknown;
        return fault;
    }
}
