namespace Gateway.Transport.Certificates;

public enum CertificatePeerRole
{
    /// <summary>A client that connects to us.</summary>
    Client,

    /// <summary>A server that we connect to.</summary>
    Server,

    /// <summary>A user who signs in with a certificate; trusted by <c>trustedUser/</c>.</summary>
    User,
}
