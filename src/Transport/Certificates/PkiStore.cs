namespace Gateway.Transport.Certificates;

/// <summary>The folders that an operator keeps certificates in: own/ trusted/ issuer/ rejected/, each with certs/ crl/
/// private/.</summary>
public sealed class PkiStore(string path, TimeProvider timeProvider)
{
    public string Path { get; } = System.IO.Path.GetFullPath(path);

    internal TimeProvider TimeProvider { get; } = timeProvider;
}
