using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

internal static partial class PkiStoreLog
{
    [LoggerMessage(
        EventId = 1130, Level = LogLevel.Warning,
        Message = "The PKI folders below {Root} cannot be read; the trust list stays as it was: {Reason}")]
    public static partial void PollFailed(ILogger logger, string root, string reason);

    [LoggerMessage(
        EventId = 1131, Level = LogLevel.Error,
        Message = "Internal error while reading the PKI folders below {Root}. The next try comes in two seconds")]
    public static partial void PollBroke(ILogger logger, string root, Exception exception);
}
