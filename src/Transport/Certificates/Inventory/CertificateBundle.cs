namespace Gateway.Transport.Certificates.Inventory;

/// <summary>Certificates of one upload: their native handles go when it has been judged.</summary>
internal readonly struct CertificateBundle(List<CertificateFacts> certificates) : IDisposable
{
    public void Dispose()
    {
        foreach (var one in certificates)
            one.Certificate.Dispose();
    }
}
