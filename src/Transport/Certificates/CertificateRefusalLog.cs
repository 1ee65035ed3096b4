using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>One line a refused certificate; the host's log counts floods instead of printing them (R24). Threads: any.
/// </summary>
internal sealed partial class CertificateRefusalLog(ILogger logger)
{
    private readonly ILogger _logger = logger;

    public void Refused(CertificateVerdict verdict) => LogRefused(verdict.Status.ToString(), verdict.Detail);

    public void Suppressed(CertificateVerdict verdict, CertificateFault fault) =>
        LogSuppressed(verdict.Detail, fault);

    [LoggerMessage(1101, LogLevel.Warning, "Certificate refused, {Status}: {Detail}")]
    private partial void LogRefused(string status, string detail);

    [LoggerMessage(1102, LogLevel.Warning,
        "Certificate {Detail} is accepted although {Fault}: the configuration asks for that")]
    private partial void LogSuppressed(string detail, CertificateFault fault);
}
