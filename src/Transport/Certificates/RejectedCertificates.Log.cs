using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

internal sealed partial class RejectedCertificates
{
    [LoggerMessage(
        EventId = 1140, Level = LogLevel.Warning,
        Message = "The rejected certificate {Thumbprint} could not be kept as a file: {Reason}")]
    private partial void LogNotKept(string thumbprint, string reason);
}
