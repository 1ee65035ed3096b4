using Microsoft.Extensions.Logging;

namespace Gateway.Rest.Streams;

internal sealed partial class StreamBook
{
    [LoggerMessage(EventId = 4001, Level = LogLevel.Error, Message = "Ending streams that nobody came back to failed")]
    private partial void LogSweepFailed(Exception error);
}
