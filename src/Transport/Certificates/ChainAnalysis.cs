namespace Gateway.Transport.Certificates;

/// <summary>The result for one leaf under one trust list and by one path, without the checks whose result changes with
/// time or from call to call (policy, ApplicationUri). Holds bytes and text, no parsed certificate. Immutable but for
/// the wording of its acceptance, which is made once.</summary>
internal sealed class ChainAnalysis
{
    /// <summary>Objects, headers, the places in the cache's tables.</summary>
    private const int FixedBytes = 768;

    private CertificateVerdict? _accepted;

    /// <summary>Of the leaf's bytes.</summary>
    public required BlobKey Key { get; init; }

    /// <summary>Null when the blob holds no certificate that could be read.</summary>
    public LeafFacts? Leaf { get; init; }

    /// <summary>The leaf, then those issuers on its path that only the peer knew.</summary>
    public byte[] Chain { get; init; } = [];

    /// <summary>Where the issuers of <see cref="Chain"/> lie in it.</summary>
    public Range[] Issuers { get; init; } = [];

    /// <summary>The faults that last as long as the trust list does.</summary>
    public CertificateFault Fault { get; init; }

    public long TrustListVersion { get; init; }

    /// <summary>Signature checks that it took: what the peer's address is charged for.</summary>
    public int SignatureChecks { get; init; }

    /// <summary>All issuers are valid inside this span.</summary>
    public DateTimeOffset IssuersNotBefore { get; init; } = DateTimeOffset.MinValue;

    public DateTimeOffset IssuersNotAfter { get; init; } = DateTimeOffset.MaxValue;

    /// <summary>The smallest RSA key above the leaf.</summary>
    public int IssuersKeyBits { get; init; } = int.MaxValue;

    /// <summary>Until when the lists that spoke for the leaf are current.</summary>
    public DateTimeOffset RevocationCurrentUntil { get; init; } = DateTimeOffset.MaxValue;

    public DateTimeOffset IssuerRevocationCurrentUntil { get; init; } = DateTimeOffset.MaxValue;

    /// <summary>The size that a cache counts: all bytes that it keeps alive.</summary>
    public long HeldBytes => FixedBytes + Chain.Length + (Issuers.Length * 8) +
        (Issuers.Length > 0 ? Leaf?.Der.Length ?? 0 : 0) + (Leaf?.TextBytes ?? 0) +
        (2 * (_accepted?.Detail.Length + _accepted?.Subject.Length ?? 0));

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

    /// <summary>The same leaf, and with it every issuer that the path needs from the peer: other certificates that it
    /// sends do not count.
    /// </summary>
    public bool IsPathIn(ReadOnlySpan<byte> blob, ReadOnlySpan<Range> parts)
    {
        foreach (var issuer in Issuers)
        {
            var wanted = Chain.AsSpan()[issuer];
            var found = false;
            foreach (var part in parts[1..])
                found |= blob[part].SequenceEqual(wanted);
            if (!found)
                return false;
        }

        return true;
    }

    /// <summary>The same object for each call: nothing of a call is in it.</summary>
    public CertificateVerdict Accepted(CertificatePeerRole role) =>
        _accepted ??= CertificateText.Verdict(this, CertificateFault.None, null, role);
}
