using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>
/// The folders that an operator keeps certificates in: <c>own/ trusted/ issuer/ rejected/</c> for applications and
/// <c>trustedUser/ issuerUser/</c> for users, each with <c>certs/ crl/ private/</c> as far as they have any.
/// Owner: the host; any thread. Looks at the folders every <see cref="PollInterval"/>, and when a certificate is about
/// to be refused.
/// </summary>
public sealed class PkiStore : IAsyncDisposable
{
    public static readonly TimeSpan PollInterval = TimeSpan.FromSeconds(2);

    private readonly ITimer _timer;
    private readonly ILogger _logger;
    private long _announcedVersion;

    public PkiStore(string path, TimeProvider timeProvider, ILoggerFactory loggerFactory, int maxRejected)
    {
        _logger = loggerFactory.CreateLogger<PkiStore>();
        Root = Path.GetFullPath(path);
        TimeProvider = timeProvider;
        LoggerFactory = loggerFactory;
        var foldersLogger = loggerFactory.CreateLogger<TrustFolders>();
        Applications = new TrustFolders(Root, "trusted", "issuer", timeProvider, foldersLogger);
        Users = new TrustFolders(Root, "trustedUser", "issuerUser", timeProvider, foldersLogger);
        Applications.Changed += change => TrustListEdited?.Invoke(change);
        Users.Changed += change => TrustListEdited?.Invoke(change);
        Rejected = new RejectedCertificates(
            Path.Combine(Root, "rejected", "certs"), maxRejected, timeProvider,
            loggerFactory.CreateLogger<RejectedCertificates>());
        _announcedVersion = Applications.Current.Version + Users.Current.Version;
        _timer = Contained.Every(
            timeProvider, PollInterval, Poll, error => PkiStoreLog.PollBroke(_logger, Root, error));
    }

    /// <summary>Raised on a timer thread after the application or user trust list has changed, so that live channels
    /// can be checked again (R31).</summary>
    public event Action? TrustListChanged;

    /// <summary>Raised once for each change of a trust list, on the thread that met it: a timer's or a handshake's. For
    /// the audit log; must not block.</summary>
    public event Action<TrustListChange>? TrustListEdited;

    /// <summary>Raised when a peer has shown that it holds a certificate that is accepted: once for each version of the
    /// trust list, not with each of its channels. For the audit log; must not block.</summary>
    public event Action<CertificateVerdict, CertificatePeerRole>? CertificateAccepted;

    /// <summary>Raised with the thumbprint of a certificate that an operator has trusted by name, whether or not it was
    /// trusted before. Must not block.</summary>
    public event Action<string>? TrustedByOperator;

    public string Root { get; }

    internal TimeProvider TimeProvider { get; }

    internal ILoggerFactory LoggerFactory { get; }

    internal TrustFolders Applications { get; }

    internal TrustFolders Users { get; }

    internal RejectedCertificates Rejected { get; }

    /// <summary>Takes over at once what has changed in the folders, as the next look would: when this returns, channels
    /// whose certificate no longer passes are ending.</summary>
    public void LookNow() => Poll();

    internal void OnTrustedByOperator(string thumbprint) => TrustedByOperator?.Invoke(thumbprint);

    internal void OnAccepted(CertificateVerdict verdict, CertificatePeerRole role) =>
        CertificateAccepted?.Invoke(verdict, role);

    public async ValueTask DisposeAsync()
    {
        await _timer.DisposeAsync().ConfigureAwait(false);
        await Rejected.DisposeAsync().ConfigureAwait(false);
    }

    private void Poll()
    {
        try
        {
            Applications.Refresh();
            Users.Refresh();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            PkiStoreLog.PollFailed(_logger, Root, error.Message);
            return;
        }
        // A refused certificate may have made the lists look again in between: the versions tell, not the poll.
        var version = Applications.Current.Version + Users.Current.Version;
        var announced = Interlocked.Exchange(ref _announcedVersion, version);
        if (announced == version)
            return;
        try
        {
            TrustListChanged?.Invoke();
        }
        catch
        {
            // Live channels may not have been checked (R31): the next poll announces it again.
            Interlocked.CompareExchange(ref _announcedVersion, announced, version);
            throw;
        }
    }
}
