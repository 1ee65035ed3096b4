using Microsoft.Extensions.Logging;

namespace Gateway.Server.Services;

internal sealed partial class ActivateSession
{
    [LoggerMessage(EventId = 3201, Level = LogLevel.Error, Message = "The user validator failed")]
    private partial void LogValidatorFailed(Exception exception);
}
