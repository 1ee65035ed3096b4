namespace Gateway.Transport.Certificates;

/// <summary>This application's certificate of now. A new one is for new connections: those that are open go on with the
/// one that they were opened with, and hold it as long as they need it. Its ApplicationUri never changes. Any thread.
/// </summary>
public sealed class OwnCertificate(ApplicationCertificate first)
{
    private volatile ApplicationCertificate _current = first;

    /// <summary>Raised after <see cref="Current"/> has become another one; one caller at a time.</summary>
    public event Action<ApplicationCertificate>? Changed;

    public ApplicationCertificate Current => _current;

    /// <summary>The same for the life of the process: the namespace 1 is called by it.</summary>
    public string ApplicationUri { get; } = first.ApplicationUri;

    /// <summary>One caller at a time. Errors: <see cref="ArgumentException"/> for another ApplicationUri.</summary>
    /// <param name="next">Not disposed of here: whoever uses it keeps it alive, and its key goes with the last of them.
    /// </param>
    public void Replace(ApplicationCertificate next)
    {
        if (next.ApplicationUri != ApplicationUri)
            throw new ArgumentException("The certificate names another ApplicationUri.", nameof(next));
        _current = next;
        Changed?.Invoke(next);
    }
}
