namespace Gateway.Transport.Certificates.Peers;

/// <summary>The memory of one peer: the certificate that it had until now. Threads: any.</summary>
public interface IKnownPeer
{
    /// <summary>As operators call it.</summary>
    string Name { get; }

    /// <summary>Thumbprint of the certificate that it had until now; empty: it has not been connected yet.</summary>
    string Before { get; }

    /// <summary>Whether this one is another than before, and no operator has accepted it as this peer's.</summary>
    /// <param name="thumbprint">Of a certificate that it shows.</param>
    /// <param name="isTrustedItself">It lies among the trusted ones, not only an authority that has issued it.</param>
    bool IsChanged(string thumbprint, bool isTrustedItself);

    /// <summary>Such a certificate was refused: it waits for an operator.</summary>
    /// <param name="thumbprint">Of the refused certificate.</param>
    /// <param name="isTrustedItself">It was already among the trusted ones.</param>
    void Held(string thumbprint, bool isTrustedItself);

    /// <summary>The peer has shown that it holds the key of a certificate that is accepted.</summary>
    void Proven(string thumbprint);
}
