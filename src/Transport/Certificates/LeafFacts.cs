namespace Gateway.Transport.Certificates;

/// <summary>The facts that are kept of a parsed leaf. Immutable.</summary>
/// <param name="Der">The certificate alone.</param>
/// <param name="Thumbprint">SHA-1 in upper-case hexadecimal.</param>
/// <param name="SubjectText">Peer text: not for a log as it is.</param>
/// <param name="CommonName">Peer text: not for a file name as it is.</param>
/// <param name="ApplicationUri">The first URI; null where there is none.</param>
/// <param name="IsRsa">Its key is an RSA key.</param>
/// <param name="KeyBits">As <see cref="CertificateFacts.KeyBits"/>.</param>
/// <param name="NotBefore">Valid from.</param>
/// <param name="NotAfter">Valid until.</param>
internal sealed record LeafFacts(
    byte[] Der, string Thumbprint, string SubjectText, string CommonName, string? ApplicationUri, bool IsRsa,
    int KeyBits, DateTimeOffset NotBefore, DateTimeOffset NotAfter)
{
    public int TextBytes =>
        2 * (Thumbprint.Length + SubjectText.Length + CommonName.Length + (ApplicationUri?.Length ?? 0));

    public static LeafFacts Of(CertificateFacts facts) => new(
        facts.Der, facts.Thumbprint, facts.SubjectText, facts.CommonName, facts.Names.Uris.FirstOrDefault(),
        facts.IsRsa, facts.KeyBits, facts.NotBefore, facts.NotAfter);
}
