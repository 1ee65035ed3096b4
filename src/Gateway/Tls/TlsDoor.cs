using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using Gateway.Host.Files;

namespace Gateway.Host.Tls;

/// <summary>
/// How the HTTP listener makes its handshakes: with the certificate that the files hold now. A new one is for new
/// connections; those that are open go on. A client may show a certificate, and need not: whom it speaks for is checked
/// with each request. Errors of the constructor: what <see cref="FileProblem.Is"/> knows. Threads: any.
/// </summary>
internal sealed partial class TlsDoor : IDisposable
{
    private static readonly TimeSpan WarnBefore = TimeSpan.FromDays(60);

    private static readonly List<SslApplicationProtocol> Protocols =
        [SslApplicationProtocol.Http2, SslApplicationProtocol.Http11];

    private readonly WatchedFiles<TlsIdentity> _files;
    private readonly TlsCounters _counters;
    private readonly TlsPace _pace;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly string _path;

    public TlsDoor(
        TlsOptions options, TlsCounters counters, TlsPace pace, TimeProvider time, ILogger<TlsDoor> logger)
    {
        (_counters, _pace, _time, _logger) = (counters, pace, time, logger);
        _path = Path.GetFullPath(options.CertificatePath);
        _files = new WatchedFiles<TlsIdentity>(
            options.Paths, TlsOptions.MaxFileBytes, TlsIdentity.Read, OnLoaded, OnFailed);
        counters.Observe(() => (Current.Certificate.NotAfter.ToUniversalTime() - _time.GetUtcNow()).TotalSeconds);
    }

    public TlsIdentity Current => _files.Current;

    public void Start()
    {
        WarnOfEnd();
        _files.Start(_time);
    }

    /// <summary>Of one handshake, when its turn has come. Errors: as <see cref="TlsPace.WaitAsync"/>.</summary>
    /// <param name="remote">Of the client.</param>
    /// <param name="cancellationToken">The handshake's time is over.</param>
    public async ValueTask<SslServerAuthenticationOptions> BeginAsync(
        EndPoint? remote, CancellationToken cancellationToken)
    {
        await _pace.WaitAsync(remote, cancellationToken).ConfigureAwait(false);
        return Options();
    }

    private SslServerAuthenticationOptions Options() => new()
    {
        ServerCertificateContext = Current.Context,
        EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
        ApplicationProtocols = Protocols,
        AllowRenegotiation = false,
        // Asked for, and every one taken: the handshake proves that the client has its key, and the user's own check
        // decides on each request, by the trust list of then.
        ClientCertificateRequired = true,
#pragma warning disable CA5359 // The certificate is a client's: without it the client logs in by other means.
        RemoteCertificateValidationCallback = static (_, _, _, _) => true,
#pragma warning restore CA5359
    };

    public void Dispose() => _files.Dispose();

    private void OnLoaded(TlsIdentity identity)
    {
        _counters.Loaded();
        LogLoaded(_path, identity.Certificate.Thumbprint);
        WarnOfEnd();
    }

    private void OnFailed(Exception error)
    {
        _counters.Failed();
        LogFailed(_path, error.Message);
    }

    private void WarnOfEnd()
    {
        var end = Current.Certificate.NotAfter.ToUniversalTime();
        if (end - _time.GetUtcNow() < WarnBefore)
            LogEnds(_path, end);
    }

    [LoggerMessage(
        EventId = 5301, Level = LogLevel.Information,
        Message = "The certificate of HTTPS was read anew from {File}: {Thumbprint}, for new connections")]
    private partial void LogLoaded(string file, string thumbprint);

    [LoggerMessage(
        EventId = 5302, Level = LogLevel.Error,
        Message = "The certificate of HTTPS in {File}, or its key, cannot be used, the one before stays: {Problem}")]
    private partial void LogFailed(string file, string problem);

    [LoggerMessage(
        EventId = 5303, Level = LogLevel.Warning,
        Message = "The certificate of HTTPS in {File} ends at {End:u}: put a new one into the file, without a restart")]
    private partial void LogEnds(string file, DateTime end);
}
