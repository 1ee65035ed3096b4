using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>One line for each certificate that is accepted because a check is switched off; the host's log counts
/// floods instead of printing them (R24). The caller logs a refusal. Threads: any.</summary>
internal sealed partial class CertificateRefusalLog(ILogger logger)
{
    private readonly ILogger _logger = logger;

    public void Suppressed(CertificateVerdict verdict, CertificateFault fault) =>
        LogSuppressed(verdict.Detail, fault);

    [LoggerMessage(1102, LogLevel.Warning,
        "Certificate {Detail} is accepted although {Fault}: the configuration asks for that")]
    private partial void LogSuppressed(string detail, CertificateFault fault);
}
