using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

internal sealed partial class TrustFolders
{
    [LoggerMessage(
        EventId = 1150, Level = LogLevel.Information,
        Message = "Trust list {Folder} version {Version}: {Count} trusted certificates")]
    private partial void LogTrustListLoaded(string folder, long version, int count);

    [LoggerMessage(
        EventId = 1151, Level = LogLevel.Warning,
        Message = "{File} is left out of the trust list; replace or remove it: {Reason}")]
    private partial void LogUnreadableFile(string file, string reason);
}
