using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>One line a refused certificate, and in a flood ten lines a second and the count of the others (R24).
/// </summary>
internal sealed partial class CertificateRefusalLog(TimeProvider timeProvider, ILogger logger)
{
    private const int MaxLinesPerSecond = 10;

    private readonly Lock _lock = new();
    private readonly ILogger _logger = logger;
    private long _second;
    private int _lines;
    private long _left;

    public void Refused(CertificateVerdict verdict)
    {
        if (!TryTakeLine(out var left))
            return;
        if (left > 0)
            LogLeftOut(left);
        LogRefused(verdict.Status.ToString(), verdict.Detail);
    }

    public void Suppressed(CertificateVerdict verdict, CertificateFault fault)
    {
        if (TryTakeLine(out _))
            LogSuppressed(verdict.Detail, fault);
    }

    private bool TryTakeLine(out long left)
    {
        lock (_lock)
        {
            left = 0;
            var second = timeProvider.GetTimestamp() / timeProvider.TimestampFrequency;
            if (second != _second)
            {
                (_second, _lines) = (second, 0);
                (left, _left) = (_left, 0);
            }
            if (++_lines <= MaxLinesPerSecond)
                return true;
            _left++;
            return false;
        }
    }

    [LoggerMessage(Level = LogLevel.Warning, Message = "Certificate refused, {Status}: {Detail}")]
    private partial void LogRefused(string status, string detail);

    [LoggerMessage(Level = LogLevel.Warning, Message = "{Count} more certificates were refused and are not listed")]
    private partial void LogLeftOut(long count);

    [LoggerMessage(
        Level = LogLevel.Warning,
        Message = "Certificate {Detail} is accepted although {Fault}: the configuration asks for that")]
    private partial void LogSuppressed(string detail, CertificateFault fault);
}
