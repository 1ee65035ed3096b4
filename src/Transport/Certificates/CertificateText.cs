using System.Text;
using Gateway.Codec.Text;
using Gateway.Codec.Types;

namespace Gateway.Transport.Certificates;

/// <summary>Words a verdict: the exact StatusCode, and for the operator what is wrong and what to do about
/// it.</summary>
internal static class CertificateText
{
    /// <summary>In the order in which Part 4 §6.1.3 checks: the first that applies gives the StatusCode.</summary>
    private static readonly (CertificateFault Fault, uint Status, string Advice)[] Table =
    [
        (CertificateFault.Missing, StatusCodes.BadCertificateInvalid,
            "no certificate was sent: the peer needs an application certificate of its own"),
        (CertificateFault.TooLarge, StatusCodes.BadCertificateInvalid,
            "it is larger than 8 KiB, or with its issuers than 32 KiB: the peer needs a smaller one"),
        (CertificateFault.Malformed, StatusCodes.BadCertificateInvalid,
            "it is not a DER certificate: the peer should make itself a new one"),
        (CertificateFault.ChainTooLong, StatusCodes.BadCertificateInvalid,
            "its chain has more than 10 certificates, or takes more than Limits:MaxChainSignatureChecks: the peer "
            + "should use a shorter one, or put its issuers' certificates into issuer/certs"),
        (CertificateFault.ChainIncomplete, StatusCodes.BadCertificateChainIncomplete,
            "an issuer is unknown: put the missing issuers' certificates into issuer/certs"),
        (CertificateFault.SignatureInvalid, StatusCodes.BadCertificateInvalid,
            "a signature in its chain is wrong: it was altered or damaged, do not trust it"),
        (CertificateFault.WeakSignature, StatusCodes.BadCertificatePolicyCheckFailed,
            "it or an issuer is signed with MD5 or SHA-1: the peer needs one signed with SHA-256 or better"),
        (CertificateFault.KeyAlgorithm, StatusCodes.BadCertificatePolicyCheckFailed,
            "its kind of key does not fit the security policy: the peer needs an RSA certificate"),
        (CertificateFault.KeyLength, StatusCodes.BadCertificatePolicyCheckFailed,
            "its key or an issuer's is too short or too long for the security policy: use RSA 2048 to 4096"),
        (CertificateFault.Untrusted, StatusCodes.BadCertificateUntrusted,
            "nobody has trusted it yet: to accept it, move its file from rejected/certs to trusted/certs"),
        (CertificateFault.Changed, StatusCodes.BadCertificateUntrusted,
            "it is another one than this server had until now: if somebody has renewed it there, compare the "
            + "thumbprint with the one on the machine and trust it; if nobody has, somebody else may answer in its "
            + "place"),
        (CertificateFault.NotYetValid, StatusCodes.BadCertificateTimeInvalid,
            "it is not valid yet: compare the clocks of both machines"),
        (CertificateFault.Expired, StatusCodes.BadCertificateTimeInvalid,
            "it has expired: the peer needs a new one"),
        (CertificateFault.IssuerTimeInvalid, StatusCodes.BadCertificateIssuerTimeInvalid,
            "an issuer's certificate has expired or is not valid yet: renew it in issuer/certs or trusted/certs"),
        (CertificateFault.UriMismatch, StatusCodes.BadCertificateUriInvalid,
            "its first URI is not the peer's ApplicationUri: make both the same at the peer"),
        (CertificateFault.UsageNotAllowed, StatusCodes.BadCertificateUseNotAllowed,
            "its key usage does not allow this use: it needs digitalSignature, for an application also "
            + "dataEncipherment and clientAuth or serverAuth"),
        (CertificateFault.KeyUsageMissing, StatusCodes.BadCertificateUseNotAllowed,
            "it does not say its key usage: the peer should make one that does, or allow such certificates with "
            + "Pki:AcceptMissingKeyUsage"),
        (CertificateFault.DataEnciphermentMissing, StatusCodes.BadCertificateUseNotAllowed,
            "its key usage lacks dataEncipherment: the peer should make one that has it, or allow such certificates "
            + "with Pki:AcceptMissingDataEncipherment"),
        (CertificateFault.CriticalExtension, StatusCodes.BadCertificateUseNotAllowed,
            "it has a critical extension that is not understood: make it without"),
        (CertificateFault.IssuerUsageNotAllowed, StatusCodes.BadCertificateIssuerUseNotAllowed,
            "one of its issuers may not issue it: no certificate authority, too deep, or under an unknown rule"),
        (CertificateFault.RevocationUnknown, StatusCodes.BadCertificateRevocationUnknown,
            "its issuer has no current revocation list: put one into issuer/crl or trusted/crl"),
        (CertificateFault.IssuerRevocationUnknown, StatusCodes.BadCertificateIssuerRevocationUnknown,
            "an issuer of its issuer has no current revocation list: put one into issuer/crl or trusted/crl"),
        (CertificateFault.Revoked, StatusCodes.BadCertificateRevoked,
            "its issuer has revoked it: the peer needs a new one"),
        (CertificateFault.IssuerRevoked, StatusCodes.BadCertificateIssuerRevoked,
            "one of its issuers has been revoked: the peer needs a new one"),
    ];

    public static CertificateVerdict Verdict(
        ChainAnalysis analysis, CertificateFault fault, string? applicationUri, CertificatePeerRole role)
    {
        var publicStatus = fault == CertificateFault.None ? StatusCodes.Good : StatusCodes.BadSecurityChecksFailed;
        var status = StatusCodes.Good;
        foreach (var row in Table)
        {
            if ((fault & row.Fault) == 0)
                continue;
            status = row.Status;
            break;
        }
        return new CertificateVerdict(
            publicStatus, status, fault, Detail(analysis.Leaf, fault, applicationUri, role),
            analysis.Leaf?.Der ?? [], analysis.Leaf?.Thumbprint ?? "")
        {
            Subject = PeerText.Escape(analysis.Leaf?.SubjectText ?? ""),
            Chain = analysis.Chain,
            Analysis = analysis,
        };
    }

    private static string Detail(
        LeafFacts? leaf, CertificateFault fault, string? applicationUri, CertificatePeerRole role)
    {
        var text = new StringBuilder();
        if (leaf is not null)
        {
            text.Append('"').Append(PeerText.Escape(leaf.SubjectText))
                .Append("\" (thumbprint ").Append(leaf.Thumbprint).Append(')');
        }
        else
        {
            text.Append("A certificate");
        }
        if (fault == CertificateFault.None)
            return text.ToString();
        text.Append(" is refused: ").Append(Reasons(fault, role));
        if ((fault & CertificateFault.UriMismatch) != 0)
        {
            text.Append(" (the peer says \"").Append(PeerText.Escape(applicationUri)).Append("\", the certificate \"")
                .Append(PeerText.Escape(leaf?.ApplicationUri)).Append("\")");
        }
        return text.ToString();
    }

    /// <summary>Each fault with what to do about it; nothing of the peer.</summary>
    public static string Reasons(CertificateFault fault, CertificatePeerRole role) => string.Join(
        "; ",
        Table.Where(row => (fault & row.Fault) != 0)
            .Select(row => $"{row.Fault}, {Advice(row.Fault, row.Advice, role)}"));

    /// <summary>To trust a server is the first half of its operator's work: the gateway lists all of it in one
    /// place.</summary>
    private static string Advice(CertificateFault fault, string advice, CertificatePeerRole role) => role switch
    {
        CertificatePeerRole.Server when fault == CertificateFault.Untrusted => "nobody has trusted it yet",
        CertificatePeerRole.User when fault == CertificateFault.Untrusted =>
            "nobody has trusted this user yet: to accept it, move its file from rejected/certs to trustedUser/certs",
        CertificatePeerRole.User => advice.Replace("issuer/", "issuerUser/", StringComparison.Ordinal)
            .Replace("trusted/", "trustedUser/", StringComparison.Ordinal),
        _ => advice,
    };
}
